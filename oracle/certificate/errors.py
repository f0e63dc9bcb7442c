"""Why a certificate is not accepted."""


class Rejected(Exception):
    """The certificate is not a proof of what it claims; the message says why."""
