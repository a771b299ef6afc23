import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import { AttentionTile, tileNames } from '../overview/attention-tile';
import overview from '../overview/overview.module.css';
import { Logo } from '../shared/icons';
import { MenuGroups } from '../shell/menu-groups';
import { pagesOf } from '../shell/pages';
import shell from '../shell/shell.module.css';

/** A placeholder for a number that the server inserts. */
export const COUNT = '%COUNT%';
/** A placeholder for the tiles. Of each tile, the server inserts one of the two prepared versions. */
export const TILES = '%TILES%';

/**
 * The upper part of the overview, without the scripts and the component library of the console. The
 * server sends it within the page, so that even a slow connection shows it early.
 */
export const FirstView = ({ isLimited }: { readonly isLimited: boolean }) => {
  const t = useT();
  return (
    <>
      <header className={shell['header']}>
        <a href="/" className={shell['brand']} aria-label={t.shell.product}>
          <Logo />
          <span className={shell['brandText']}>{t.shell.product}</span>
        </a>
        <span className="first-view-search" />
      </header>
      <nav className={shell['navbar']} aria-label={t.shell.mainMenu}>
        <MenuGroups pages={pagesOf(isLimited)} location="/" />
      </nav>
      <main aria-busy="true">
        <h1>{t.overview.title}</h1>
        <p className="first-view-lead">{t.overview.lead}</p>
        <div className={overview['headed']}>
          <h2 className={overview['heading']}>{t.overview.attention}</h2>
          <a href="/cases" className="link">
            {t.overview.toCases}
          </a>
        </div>
        <ul className={overview['tiles']}>{TILES}</ul>
        <div className={overview['grid']}>
          <div className="card first-view-panel">{t.overview.orders}</div>
          <div className="card first-view-panel">{t.overview.oldest}</div>
        </div>
      </main>
    </>
  );
};

/** Each tile for the count 0 and for other counts. */
export const firstViewTiles = (t: Dictionary) =>
  tileNames(t).map((name) => ({
    name,
    calm: <AttentionTile name={name} count={COUNT} isTrouble={false} />,
    trouble: <AttentionTile name={name} count={COUNT} isTrouble />,
  }));
