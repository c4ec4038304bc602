"""The fields that an RGD declares, as symbols: what stands for one at a place, and every place where it is written."""
