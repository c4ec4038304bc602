// The bundle of the preview: what a page or a webview starts with.

import { findHost } from './hosts';
import { PreviewView } from './preview/view';

const start = (): void => {
  new PreviewView(findHost());
};
if (document.readyState === 'loading') {
  document.addEventListener('DOMContentLoaded', start);
} else {
  start();
}
