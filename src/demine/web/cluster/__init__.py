"""Several processes that are one server: who takes part, what they tell and hand each other."""
