"""Examples that learn to play: by reinforcement and by imitation of the exact solver."""
