import { useT } from '../i18n/i18n';
import { AttentionTile, TROUBLES } from '../overview/attention-tile';
import overview from '../overview/overview.module.css';
import { Logo } from '../shared/icons';
import { MenuGroups } from '../shell/menu-groups';
import { pagesOf } from '../shell/pages';
import shell from '../shell/shell.module.css';

/** A placeholder for a number that the server inserts. */
export const COUNT = '%COUNT%';
/**
 * A placeholder for the tiles. For each kind of issue, the server inserts one of the two prepared
 * tiles.
 */
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

/**
 * With this value the links contain no mode. The mode is only known after the console has read the
 * overview; then its own tiles replace these.
 */
const MODE = 'test';

/** The tile of each kind of issue, without and with open issues. */
export const FIRST_VIEW_TILES = TROUBLES.map((name) => ({
  name,
  calm: <AttentionTile name={name} mode={MODE} count={COUNT} isTrouble={false} />,
  trouble: <AttentionTile name={name} mode={MODE} count={COUNT} isTrouble />,
}));
