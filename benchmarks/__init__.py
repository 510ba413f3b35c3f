"""Every speed of demine beside its strongest peer: `python -m benchmarks`."""
