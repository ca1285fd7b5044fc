"""Keep third parties from reporting home. To be called before they are imported.

The releases of onnxruntime send usage events to their makers, and leave an id of the machine in
the user's cache folder, unless this is in the environment when the library is loaded; asking
it later to stop comes after the first event.
"""

import os

OFF = {"ORT_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


def switch_off() -> None:
    """Tell onnxruntime and the libraries of Hugging Face to keep to themselves."""
    os.environ.update(OFF)
