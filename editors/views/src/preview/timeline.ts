// The passes as a time line: stepped by buttons and keys, scrubbed with the mouse, played.

import { html } from '../chrome';
import type { Pass } from '../wire';
import { LongText } from './longText';
import { deeds, isRefused } from './passes';

const PLAY_MILLISECONDS = 900;

export class Timeline {
  readonly #first = control('|◀', 'First pass (Home)');
  readonly #back = control('◀', 'One pass back (Left)');
  readonly #play = control('Play', 'Play the passes (Space)');
  readonly #forward = control('▶', 'One pass on (Right)');
  readonly #track = html('div', { class: 'track', role: 'slider', tabindex: '0', 'aria-label': 'Pass', 'aria-valuemin': '1' });
  readonly #summary = html('p', { class: 'pass-summary' });
  readonly #message = new LongText(this.#summary, 'this pass');
  readonly root = html(
    'section',
    { class: 'timeline', 'aria-label': 'Passes of kro' },
    html('div', { class: 'controls' }, this.#first, this.#back, this.#play, this.#forward),
    this.#track,
    this.#message.root,
  );
  #passes: readonly Pass[] = [];
  #at = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(readonly moved: (pass: number) => void) {
    this.#first.addEventListener('click', () => {
      this.#goTo(0);
    });
    this.#back.addEventListener('click', () => {
      this.#goTo(this.#at - 1);
    });
    this.#forward.addEventListener('click', () => {
      this.#goTo(this.#at + 1);
    });
    this.#play.addEventListener('click', () => {
      this.play();
    });
    this.#track.addEventListener('keydown', (event) => {
      this.#onKey(event);
    });
    this.#track.addEventListener('pointerdown', (event) => {
      this.#track.setPointerCapture(event.pointerId);
      this.#scrub(event);
    });
    this.#track.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) {
        this.#scrub(event);
      }
    });
  }

  show(passes: readonly Pass[], at: number): void {
    this.root.hidden = passes.length === 0;
    if (passes !== this.#passes) {
      this.#passes = passes;
      this.#track.replaceChildren(...passes.map((pass, number) => stop(pass, isAfterEdit(passes, number))));
      this.#track.setAttribute('aria-valuemax', String(passes.length));
    }
    this.#at = at;
    this.#draw();
  }

  /** Plays from the shown pass, or from the first if it is the last; or stops. */
  play(): void {
    if (this.#timer !== null) {
      this.#stop();
      return;
    }
    if (this.#at >= this.#passes.length - 1) {
      this.#move(0);
    }
    this.#timer = setInterval(() => {
      if (this.#at >= this.#passes.length - 1) {
        this.#stop();
      } else {
        this.#move(this.#at + 1);
      }
    }, PLAY_MILLISECONDS);
    this.#draw();
  }

  #stop(): void {
    if (this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
      this.#draw();
    }
  }

  #goTo(pass: number): void {
    this.#stop();
    this.#move(pass);
  }

  #move(pass: number): void {
    const wanted = Math.min(Math.max(pass, 0), this.#passes.length - 1);
    if (wanted !== this.#at) {
      this.#at = wanted;
      this.#draw();
      this.moved(wanted);
    }
  }

  #onKey(event: KeyboardEvent): void {
    const goals: Record<string, number> = {
      ArrowLeft: this.#at - 1,
      ArrowDown: this.#at - 1,
      ArrowRight: this.#at + 1,
      ArrowUp: this.#at + 1,
      Home: 0,
      End: this.#passes.length - 1,
    };
    const goal = goals[event.key];
    if (goal !== undefined) {
      event.preventDefault();
      this.#goTo(goal);
    } else if (event.key === ' ') {
      event.preventDefault();
      this.play();
    }
  }

  /** Goes to the pass that stands nearest to the pointer. */
  #scrub({ clientX }: PointerEvent): void {
    const middles = [...this.#track.children].map((each) => {
      const { left, width } = each.getBoundingClientRect();
      return Math.abs(left + width / 2 - clientX);
    });
    this.#goTo(middles.indexOf(Math.min(...middles)));
  }

  /** Brings a stop into view where the track is too narrow for all. */
  #showStop(number: number): void {
    const stop = this.#track.children[number];
    if (stop instanceof HTMLElement && this.#track.scrollWidth > this.#track.clientWidth) {
      this.#track.scrollLeft = stop.offsetLeft - this.#track.offsetLeft - (this.#track.clientWidth - stop.offsetWidth) / 2;
    }
  }

  #draw(): void {
    const pass = this.#passes[this.#at];
    const last = this.#passes.length - 1;
    [...this.#track.children].forEach((each, number) => {
      each.classList.toggle('current', number === this.#at);
      each.classList.toggle('later', number > this.#at);
    });
    this.#showStop(this.#at);
    this.#back.disabled = this.#first.disabled = this.#at === 0;
    this.#forward.disabled = this.#at >= last;
    this.#play.disabled = last < 1;
    this.#play.textContent = this.#timer === null ? 'Play' : 'Pause';
    const after = pass && pass.generation > 1 ? ', after the edit' : '';
    const text = pass
      ? [`Pass ${pass.pass} of ${this.#passes.length}${after}`, stateOf(pass), deeds(pass)].filter(Boolean).join(' · ')
      : '';
    this.#track.setAttribute('aria-valuenow', String(this.#at + 1));
    this.#track.setAttribute('aria-valuetext', text);
    const { reason, text: kro } = pass && !isRefused(pass) ? pass : { reason: '', text: '' };
    this.#summary.replaceChildren(html('strong', {}, text), ...(reason ? [` ${reason}`] : []));
    this.#message.show([text, reason].filter(Boolean).join('\n') + (kro !== '' && kro !== reason ? `\n\nkro says:\n${kro}` : ''));
  }
}

function control(text: string, title: string): HTMLButtonElement {
  return html('button', { type: 'button', title, 'aria-label': title }, text);
}

/** The state after a pass; empty where there is none of kro's, which the page says once for all passes. */
function stateOf(pass: Pass): string {
  return isRefused(pass) ? '' : (pass.state ?? '');
}

/** Whether the instance was edited before a pass. */
function isAfterEdit(passes: readonly Pass[], number: number): boolean {
  return number > 0 && passes[number]?.generation !== passes[number - 1]?.generation;
}

function stop(pass: Pass, isEdit: boolean): HTMLElement {
  const marks: [number, string, string][] = [
    [pass.created.length, '+', 'created'],
    [pass.updated.length, '~', 'updated'],
    [pass.deleted.length, '−', 'deleted'],
  ];
  const badges = marks.filter(([count]) => count > 0).map(([count, sign, name]) => html('span', { class: name }, `${sign}${count}`));
  return html(
    'div',
    {
      class: `stop of-${pass.state?.toLowerCase().replace(/_/g, '-') ?? 'nothing'}${isEdit ? ' edit' : ''}`,
      title: `${isEdit ? 'The instance is edited. ' : ''}Pass ${pass.pass}: ${[stateOf(pass), deeds(pass)].filter(Boolean).join(', ')}`,
    },
    html('span', { class: 'dot' }, String(pass.pass)),
    html('span', { class: 'deeds' }, ...badges),
  );
}
