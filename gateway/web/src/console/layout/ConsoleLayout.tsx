import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import './console.css';
import { sections } from './sections.ts';

/** The console's navigation and the open section. */
export function ConsoleLayout() {
  const { t } = useTranslation();
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a narrow page the navigation is one scrolling line: scrolls the open section into view.
  useLayoutEffect(() => {
    const link = nav.current?.querySelector(`a[href="${sectionOf(pathname)}"]`);
    if (!nav.current || !link) return;
    const [line, open] = [nav.current.getBoundingClientRect(), link.getBoundingClientRect()];
    nav.current.scrollLeft += open.left + open.width / 2 - (line.left + line.width / 2);
  }, [pathname]);
  return (
    <div className="console">
      <nav ref={nav} className="console-nav" aria-label={t('Console')}>
        <ul>
          <li>
            <Link to="/console" className="nav-link" activeOptions={{ exact: true }}>
              {t('Overview')}
            </Link>
          </li>
          {sections.map(({ to, english }) => (
            <li key={to}>
              <Link to={to} className="nav-link">
                {t(english)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="console-page">
        <Outlet />
      </div>
    </div>
  );
}

const sectionOf = (pathname: string): string => pathname.split('/').slice(0, 3).join('/');
