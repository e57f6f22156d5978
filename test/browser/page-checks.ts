// What must hold for every page of the app, whatever it shows. Evaluated in the page as text: it has no types of a browser.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface AxeResult {
  violations: { id: string; impact: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** A busy machine needs so long to draw a page of another size. What is still wrong then stays so. */
const restMsMax = 10_000;
const lookEveryMs = 50;

/** What is found once the page has come to rest: a new size, a new theme and what was just loaded are drawn in steps. */
export async function atRest(look: () => Promise<string[]>): Promise<string[]> {
  const started = performance.now();
  for (;;) {
    const found = await look();
    if (found.length === 0 || performance.now() - started > restMsMax) return found;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** Serious and critical findings of axe. */
export function findingsOf(page: Page): Promise<string[]> {
  return atRest(() => findingsNow(page));
}

async function findingsNow(page: Page): Promise<string[]> {
  // Evaluated through DevTools, where the page's content security policy does not apply.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResult>('axe.run(document)');
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
    );
}

/** How far the page can be scrolled sideways, in pixels, and what sticks out. */
export function sidewaysScroll(page: Page): Promise<string[]> {
  return atRest(() => sidewaysNow(page));
}

function sidewaysNow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const out = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
    return [scrollWidth + ' of ' + clientWidth, ...out.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))];
  })()`);
}

/**
 * How long the page takes to get an answer of the hub and to draw, whatever it shows. On a busy machine that is long, and it
 * is not what a promise about one thing that is shown speaks of.
 */
export function lagOf(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const started = performance.now();
    await (await fetch('/healthz')).text();
    await new Promise(requestAnimationFrame);
    return performance.now() - started;
  })()`);
}

/** What moves, or would move: running animations, transitions, and scrolling that is not at once. */
export function movingParts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const lasts = (durations) => durations.split(',').some((duration) => parseFloat(duration) > 0.001);
    const found = document.getAnimations().map(({ playState }) => 'animation ' + playState);
    for (const element of document.querySelectorAll('*')) {
      const { transitionProperty, transitionDuration, animationName, animationDuration, scrollBehavior } = getComputedStyle(element);
      const moves =
        (transitionProperty !== 'none' && lasts(transitionDuration)) ||
        (animationName !== 'none' && lasts(animationDuration)) ||
        scrollBehavior === 'smooth';
      if (moves) found.push(element.outerHTML.slice(0, 120));
    }
    return found;
  })()`);
}

const elements =
  'html head meta title link script body a abbr article aside b bdi blockquote br button canvas circle code datalist del details dd dialog div dl dt em ' +
  'fieldset figure figcaption footer form g h1 h2 h3 h4 h5 h6 header hr i img input kbd label legend li line main nav noscript ol option output p path pre ' +
  'progress rect q s samp section select small span strong sub summary sup svg symbol table tbody td text textarea th thead time tr u ul use';

/** Elements, attributes and addresses that no page of the app has, by whoever they were written. */
export function foreignMarkup(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const allowed = new Set(${JSON.stringify(elements.split(' '))});
    const found = [];
    for (const element of document.querySelectorAll('*')) {
      const tag = element.tagName.toLowerCase();
      if (!allowed.has(tag)) found.push('element ' + element.outerHTML.slice(0, 120));
      if (tag === 'script' && (element.textContent !== '' || new URL(element.src).origin !== location.origin)) found.push('script ' + element.outerHTML);
      if (tag === 'link' && new URL(element.href).origin !== location.origin) found.push('link ' + element.outerHTML);
      for (const { name, value } of element.attributes) {
        // The plot's own code sets sizes from numbers.
        if (name === 'style' && element.closest('.uplot') !== null) continue;
        if (/^on|^style$|^srcdoc$|^formaction$/i.test(name)) found.push('attribute ' + name + '=' + value.slice(0, 80));
        if (/^(href|src|action|xlink:href)$/i.test(name)) {
          const { protocol, origin } = new URL(value, location.href);
          // A picture of a message, whose bytes the hub has given.
          if (tag === 'img' && /^data:image\\/(png|jpeg|gif|webp|avif);base64,/.test(value)) continue;
          if (!['http:', 'https:', 'mailto:'].includes(protocol)) found.push('address ' + value.slice(0, 80));
          else if (tag !== 'a' && origin !== location.origin) found.push(tag + ' asks ' + value.slice(0, 80));
          else if (tag === 'a' && protocol !== 'mailto:' && origin !== location.origin) {
            const rel = element.rel.split(' ');
            if (!rel.includes('noopener') || !rel.includes('noreferrer')) found.push('link without noopener noreferrer ' + value.slice(0, 80));
          }
        }
      }
    }
    return found;
  })()`);
}

/** Text whose direction marks can reorder what stands around it. */
export function strayBidi(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.data;
      if (!/[\\u202A-\\u202E\\u2066-\\u2069]/.test(text)) continue;
      let isolated = false;
      for (let element = walker.currentNode.parentElement; element !== null && element !== document.body; element = element.parentElement) {
        const { unicodeBidi, display } = getComputedStyle(element);
        if (/isolate|plaintext/.test(unicodeBidi) || !/^inline$|contents/.test(display)) isolated = true;
        if (isolated) break;
      }
      if (!isolated) found.push(text.slice(0, 80));
    }
    return found;
  })()`);
}

/** Characters that a person cannot see and that were left as they are. */
export function rawControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const text = document.body.innerText;
    return [...text.matchAll(/[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]/g)].map(([char]) => 'U+' + char.codePointAt(0).toString(16));
  })()`);
}
