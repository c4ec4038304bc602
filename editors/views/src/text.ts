// How wide a text is in the picture. A page measures it; elsewhere the widths of a common sans-serif font are summed up.

export const SANS = "ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif";
export const MONO = "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** The fonts of the picture, as CSS has them. */
export const FONTS = {
  title: `600 13.5px ${SANS}`,
  subtitle: `11.5px ${SANS}`,
  label: `10px ${MONO}`,
  field: `500 11px ${MONO}`,
  fieldType: `9.5px ${MONO}`,
} as const;

export type Font = keyof typeof FONTS;

const SIZES: Record<Font, number> = { title: 13.5, subtitle: 11.5, label: 10, field: 11, fieldType: 9.5 };
const NARROW = /[fijlrt.,:;|!'()[\] -]/;
const WIDE = /[mwMW@%]/;
const MOST_WIDTHS = 5000;

const context = typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d');
const widths = new Map<string, number>();

/** The width of a text in pixels of the unscaled picture. */
export function textWidth(text: string, font: Font): number {
  const key = `${font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    width = context ? measured(context, text, font) : estimated(text, font);
    if (widths.size >= MOST_WIDTHS) {
      widths.clear();
    }
    widths.set(key, width);
  }
  return width;
}

function measured(canvas: CanvasRenderingContext2D, text: string, font: Font): number {
  canvas.font = FONTS[font];
  return canvas.measureText(text).width;
}

/** On the wide side: a file is shown with fonts that nobody knows here. */
function estimated(text: string, font: Font): number {
  const size = SIZES[font];
  if (FONTS[font].includes(MONO)) {
    return text.length * size * 0.62;
  }
  const of = (letter: string): number =>
    NARROW.test(letter) ? 0.42 : WIDE.test(letter) ? 1 : letter >= 'A' && letter <= 'Z' ? 0.75 : 0.64;
  return Array.from(text).reduce((sum, letter) => sum + of(letter), 0) * size;
}

/** A text as far as it fits into a width, in pixels of the unscaled picture. */
export function shortened(text: string, font: Font, room: number): string {
  if (textWidth(text, font) <= room) {
    return text;
  }
  let kept = text.slice(0, Math.max(Math.floor((text.length * room) / textWidth(text, font)) + 2, 1));
  while (kept.length > 1 && textWidth(`${kept}…`, font) > room) {
    kept = kept.slice(0, -1);
  }
  return `${kept}…`;
}
