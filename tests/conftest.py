"""What holds for all tests."""

import gc
import os

from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is.
settings.register_profile("kro-ls", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kro-ls")

# Looking through all objects of the tests as often as Python does takes a tenth of the time.
gc.set_threshold(20_000, 10, 20)

# No test reads the kinds that the person who runs it has collected.
os.environ["XDG_DATA_HOME"] = os.devnull
