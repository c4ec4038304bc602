// Groups of resources: by what they are formed, and a model in which one box stands for the resources of a group.

import { boxWith, type Arrow, type Box, type Model } from './model';

export type GroupBy = 'none' | 'namespace' | 'apiGroup' | 'prefix';

export interface Groups {
  by: GroupBy;
  /** The members of each group, by its title. */
  members: ReadonlyMap<string, readonly string[]>;
}

export const NO_GROUPS: Groups = { by: 'none', members: new Map() };

/** The groups of a model. Whatever would be alone in its group stays by itself. */
export function groupsOf(model: Model, by: GroupBy): Groups {
  const found = new Map<string, string[]>();
  for (const { id, groups } of model.boxes.values()) {
    if (groups && by !== 'none') {
      const title = groups[by];
      found.set(title, [...(found.get(title) ?? []), id]);
    }
  }
  return { by, members: new Map([...found].filter(([, members]) => members.length > 1)) };
}

/** The id of the box that stands for a group. No id of a resource has a space. */
export function groupId(title: string): string {
  return `group ${title}`;
}

/** The box that stands for each resource: its own, or that of its group where this is collapsed. */
export function standIns({ members }: Groups, expanded: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [title, ids] of members) {
    if (!expanded.has(groupId(title))) {
      ids.forEach((id) => found.set(id, groupId(title)));
    }
  }
  return found;
}

/** A model with a box for each group: a frame around its members where it is expanded, else instead of them. */
export function grouped(model: Model, groups: Groups, expanded: ReadonlySet<string>): Model {
  if (groups.members.size === 0) {
    return model;
  }
  const standIn = standIns(groups, expanded);
  const boxes = new Map<string, Box>();
  const parents = new Map<string, string>();
  const made = new Map<string, Box>();
  for (const [title, ids] of groups.members) {
    const id = groupId(title);
    const members = ids.map((member) => model.boxes.get(member)).filter((box) => box !== undefined);
    made.set(id, { ...groupBox(id, title, members), isExpanded: expanded.has(id) });
    ids.forEach((member) => parents.set(member, id));
  }
  for (const box of model.boxes.values()) {
    const parent = parents.get(box.id) ?? null;
    const group = made.get(parent ?? '');
    if (group) {
      // A group stands where its first member does in the definition.
      boxes.set(group.id, group);
    }
    if (!standIn.has(box.id)) {
      // Columns are those of the whole graph: among groups there are none, within them each has its own.
      boxes.set(box.id, { ...box, column: parent === null ? null : box.column, parent });
    }
  }
  return { ...model, boxes, arrows: merged(model.arrows, standIn, parents) };
}

function groupBox(id: string, title: string, members: readonly Box[]): Box {
  const changes = new Set(members.map((box) => box.change));
  const [only = null] = changes;
  const states = new Set(members.map((box) => box.state?.state));
  return boxWith({
    id,
    title,
    subtitle: kindsOf(members),
    type: 'Group',
    members,
    cyclic: members.some((box) => box.cyclic),
    critical: members.some((box) => box.critical),
    problems: members.flatMap((box) => box.problems),
    change: changes.size === 1 ? only : 'changed',
    conditional: members.every((box) => box.conditional),
    state: states.size === 1 ? (members[0]?.state ?? null) : null,
  });
}

/** The kinds of a group's members, the most frequent first. */
export function kindsOf(members: readonly Box[]): string {
  const counts = new Map<string, number>();
  for (const { subtitle } of members) {
    counts.set(subtitle, (counts.get(subtitle) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([kind, count]) => (count > 1 ? `${count} ${kind}` : kind)).join(', ');
}

/** The arrows between boxes that are shown: those between the same two become one. */
function merged(arrows: readonly Arrow[], standIn: ReadonlyMap<string, string>, parents: ReadonlyMap<string, string>): Arrow[] {
  const found = new Map<string, Arrow[]>();
  for (const arrow of arrows) {
    const key = mergedId(arrow, standIn);
    if (key !== null) {
      found.set(key, [...(found.get(key) ?? []), arrow]);
    }
  }
  return [...found].map(([id, all]) => {
    const first = all[0] as Arrow;
    const [from, to] = [standIn.get(first.from) ?? first.from, standIn.get(first.to) ?? first.to];
    const isInside = parents.get(first.from) === parents.get(first.to);
    const changes = new Set(all.map((each) => each.change));
    return {
      id,
      from,
      to,
      cyclic: all.some((each) => each.cyclic),
      critical: all.some((each) => each.critical),
      isField: all.every((each) => each.isField),
      problems: all.flatMap((each) => each.problems),
      causes: all.flatMap((each) => each.causes),
      change: changes.size === 1 ? first.change : 'changed',
      count: all.length,
      label: all.length > 1 ? String(all.length) : isInside ? first.label : '',
    };
  });
}

/** The id of the arrow that stands for another one; null for one within a collapsed group. */
export function mergedId({ from, to }: Arrow, standIn: ReadonlyMap<string, string>): string | null {
  const [tail, head] = [standIn.get(from) ?? from, standIn.get(to) ?? to];
  return tail === head ? null : `${tail}→${head}`;
}
