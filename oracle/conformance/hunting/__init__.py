"""The hunt: adversarial questions, and the smallest that an implementation answers wrongly."""
