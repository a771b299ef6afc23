import { useLocation } from 'wouter';
import { usePendingActions } from '../actions/action';
import { MenuGroups } from './menu-groups';
import { usePages } from './use-pages';

/** The main menu. `onChoice` lets a phone close the menu after a choice. */
export const MainMenu = ({ onChoice }: { readonly onChoice: () => void }) => {
  const pages = usePages();
  const [location] = useLocation();
  const pending = usePendingActions().data?.length ?? 0;
  return <MenuGroups pages={pages} location={location} pending={pending} onChoice={onChoice} />;
};
