"""Compiles, caches and loads kernels; which kernels there are is declared elsewhere.

A kernel is a valid plain Python function that Numba can compile, with the same results. Each
package keeps its kernels beside its plain functions and declares them as a
`demine.kernels.kernel_set.KernelSet`, from which it gets the compiled ones.
"""
