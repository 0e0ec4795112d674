import { render } from 'preact';
import { PlaygroundPage } from './playground-page.tsx';

const asked = new URLSearchParams(location.search);
const isEmbedded = asked.has('embed');
const theme = asked.get('theme');

const place = document.getElementById('page');
if (place !== null) {
  place.textContent = '';
  const given = theme === 'light' || theme === 'dark' ? theme : undefined;
  render(<PlaygroundPage isEmbedded={isEmbedded} theme={given} />, place);
  document.documentElement.dataset.ready = 'true';
}

// A page inside another registers no service worker; the outer page may have its own.
if (!isEmbedded && 'serviceWorker' in navigator && isSecureContext) {
  navigator.serviceWorker.register('offline.js').catch((error: Error) => {
    console.warn(`The page will not work offline: ${error.message}`);
  });
}
