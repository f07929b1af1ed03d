import { Link, Outlet } from '@tanstack/react-router';
import { useWords } from '../../shared/language/text.ts';
import './console.css';
import { PasswordDialog } from './PasswordDialog.tsx';
import { sections } from './sections.ts';

/** The sections of the console beside the one that is open. */
export function ConsoleLayout() {
  const { t } = useWords();
  return (
    <div className="console">
      <nav className="console-nav" aria-label={t('Console')}>
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
      <PasswordDialog />
    </div>
  );
}
