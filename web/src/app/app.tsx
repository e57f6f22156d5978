// The frame around every page: navigation, top bar, banner.
import { useEffect, useRef } from 'preact/hooks';
import { hub } from '../data/hub.js';
import { isIn } from '../data/rights.js';
import { Banner } from './banner.js';
import { KeyHelp } from './keys.js';
import { Nav } from './nav.js';
import { News } from './news.js';
import { Palette } from './palette-opener.js';
import { PageOf } from './page-of.js';
import { path } from './router.js';
import { routeOf } from './routes.js';
import { TopBar } from './top-bar.js';

export function App() {
  const matched = routeOf(path.value);
  const mainRef = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A reader of the screen is told of the new page, and the next Tab starts there.
  useEffect(() => {
    if (!isFirst.current) mainRef.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path.value]);
  const ShownPalette = Palette.value;
  const isOut = hub.value !== undefined && !isIn.value;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="app">
        <Nav section={matched?.route.section} isOut={isOut} />
        <div class="page">
          <TopBar matched={matched} />
          <Banner />
          <main class="main" id="main" tabIndex={-1} ref={mainRef}>
            <PageOf matched={matched} isOut={isOut} />
          </main>
        </div>
      </div>
      <News />
      <KeyHelp />
      {ShownPalette !== undefined && isIn.value && <ShownPalette />}
    </>
  );
}
