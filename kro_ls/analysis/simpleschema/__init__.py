"""SimpleSchema, the short form in which an RGD declares its instances' fields: `name: string | required=true`."""
