# Aliases only: go.py does the work.
PYTHON ?= python3

.PHONY: play test lock
play test lock:
	$(PYTHON) go.py $@ $(ARGS)
