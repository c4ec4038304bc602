"""What a webhook counts, for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from kro_ls.admission.certificates import Certificate
    from kro_ls.admission.cluster_mirror import ClusterMirror
    from kro_ls.admission.review_pool import ReviewPool
    from kro_ls.admission.reviewer import Reviewed

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class ReviewMetrics:
    """The counters of one webhook."""

    def __init__(self, pool: ReviewPool, certificate: Certificate, mirror: ClusterMirror | None) -> None:
        self._registry = registry = CollectorRegistry()
        named = ["subject", "outcome"]
        self._reviews = Counter("kro_ls_admission_reviews", "Reviews that were answered.", named, registry=registry)
        self._seconds = Histogram(
            "kro_ls_admission_review_seconds", "Time from a request to its answer.", buckets=_SECONDS, registry=registry
        )
        gauges = {
            "kro_ls_admission_waiting": ("Reviews that wait or are worked on.", lambda: pool.waiting),
            "kro_ls_admission_files": ("Files with definitions that are known.", lambda: len(pool.files)),
            "kro_ls_admission_worker_restarts": ("Processes that were replaced.", lambda: pool.restarts),
            "kro_ls_admission_certificate_renewals": (
                "Certificates that were read anew.",
                lambda: certificate.renewals,
            ),
            "kro_ls_admission_cluster_failures": (
                "Failed attempts to read from the cluster.",
                lambda: mirror.failures if mirror else 0,
            ),
        }
        for name, (text, value) in gauges.items():
            Gauge(name, text, registry=registry).set_function(value)

    def count(self, reviewed: Reviewed, seconds: float) -> None:
        """Count a review and the time it took."""
        self._reviews.labels(reviewed.subject, reviewed.outcome).inc()
        self._seconds.observe(seconds)

    def text(self) -> bytes:
        """Return all values in the text format."""
        return generate_latest(self._registry)
