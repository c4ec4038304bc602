// The user's colours: VS Code's theme if there is one, else the system's preference.

import { COLORS, type Colors, type Theme } from './colors';

export function currentColors(): { theme: Theme; colors: Colors } {
  const theme = themeOfVsCode() ?? themeOfSystem();
  const colors = COLORS[theme];
  const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const background = variable('--vscode-editor-background');
  if (background === '' || colors.strong) {
    return { theme, colors };
  }
  const own = {
    background,
    column: variable('--vscode-sideBar-background'),
    card: variable('--vscode-editorWidget-background'),
    border: variable('--vscode-editorWidget-border'),
    text: variable('--vscode-editor-foreground'),
    faint: variable('--vscode-descriptionForeground'),
  };
  const known = Object.fromEntries(Object.entries(own).filter(([, color]) => color !== ''));
  return { theme, colors: { ...colors, ...known } };
}

function themeOfVsCode(): Theme | null {
  const classes = document.body.classList;
  if (classes.contains('vscode-high-contrast-light')) {
    return 'contrast-light';
  }
  if (classes.contains('vscode-high-contrast')) {
    return 'contrast';
  }
  return classes.contains('vscode-dark') ? 'dark' : classes.contains('vscode-light') ? 'light' : null;
}

const DARK = '(prefers-color-scheme: dark)';
const CONTRAST = '(prefers-contrast: more), (forced-colors: active)';

function themeOfSystem(): Theme {
  if (matchMedia(CONTRAST).matches) {
    return matchMedia(DARK).matches ? 'contrast' : 'contrast-light';
  }
  return matchMedia(DARK).matches ? 'dark' : 'light';
}

/** Styles the page by its theme, now and whenever the theme changes. */
export function styleByTheme(style: (colors: Colors) => string): void {
  const sheet = new CSSStyleSheet();
  const apply = (): void => {
    sheet.replaceSync(style(currentColors().colors));
  };
  apply();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const query of [DARK, CONTRAST]) {
    matchMedia(query).addEventListener('change', apply);
  }
  new MutationObserver(apply).observe(document.body, { attributes: true, attributeFilter: ['class'] });
}
