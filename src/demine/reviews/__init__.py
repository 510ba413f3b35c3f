"""Games judged: every act held against what could be known just before it."""
