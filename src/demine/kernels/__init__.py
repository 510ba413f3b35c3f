"""How plain functions are compiled, cached and loaded; knows nobody's kernels.

A kernel is a valid plain Python function that Numba can compile, with the same results. Each
package keeps its kernels beside its plain functions and declares them as a
`demine.kernels.kernel_set.KernelSet`, which it asks for the compiled ones.
"""
