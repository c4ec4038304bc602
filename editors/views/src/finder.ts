// What a search finds: resources by id or kind, also in collapsed groups.

import type { Model } from './model';

export class Finder {
  /** The ids of what was found. */
  hits: string[] = [];

  /** Searches, and returns what there is to say about it. */
  search(model: Model, written: string): string {
    const text = written.trim().toLowerCase();
    const boxes = text ? [...model.boxes.values()] : [];
    this.hits = boxes.filter((box) => `${box.title} ${box.subtitle}`.toLowerCase().includes(text)).map((box) => box.id);
    return text ? `${this.hits.length} found` : '';
  }

  /** The one after a box, or the first; null where nothing was found. */
  next(id: string | null): string | null {
    return this.hits[(this.hits.indexOf(id ?? '') + 1) % this.hits.length] ?? null;
  }
}
