import { useEffect, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { isPortfolio } from './portfolio.ts';

/** Warns that graders see only a part of a file. */
export function PortfolioNotice({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <p className="notice bad" role="alert">
      {t(
        '{name} is a portfolio. Graders see only its cover page, not the files in it. Hand in these files instead.',
        { name },
      )}
    </p>
  );
}

/** Shows the warning before a file is handed in. */
export function PortfolioCheck({ file }: { file: File }) {
  const [isFound, setFound] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void isPortfolio(file).then((found) => isCurrent && setFound(found));
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return isFound && <PortfolioNotice name={file.name} />;
}
