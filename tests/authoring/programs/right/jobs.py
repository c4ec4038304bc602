"""A job on a schedule."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.batch.v1 import CronJob, JobTemplateSpec


@dataclass
class ShopSpec:
    name: str
    image: str
    replicas: int = 2
    is_public: bool = False
    regions: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


@composition(kind="Shop")
def shop(spec: ShopSpec) -> None:
    template = JobTemplateSpec(
        spec={
            "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "job", "image": spec.image}]}},
        }
    )
    CronJob(metadata={"name": spec.name}, spec={"schedule": "@daily", "jobTemplate": template})
