import { useRef } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Time } from '../../shared/time/Time.tsx';
import { Icon } from '../../shared/ui/icons.tsx';
import { PortfolioNotice } from './PortfolioNotice.tsx';
import type { KeptReceipt } from './receipt.ts';
import { compareFiles, receiptFile } from './receiptFile.ts';
import { useFileSize } from './useFileSize.ts';
import { useLostFocus } from './useLostFocus.ts';

interface Props {
  id: string;
  title: string;
  receipt: KeptReceipt;
  isShown: boolean;
}

/** The proof of a submission and its time. Older receipts are collapsed. */
export function Receipt(props: Props) {
  const { t } = useTranslation();
  if (props.isShown) return <ReceiptRegion {...props} />;
  return (
    <details className="folded">
      <summary>{t('Receipt')}</summary>
      <ReceiptRegion {...props} />
    </details>
  );
}

const comparisons = {
  same: 'The school has exactly the file on this device.',
  different: 'The school has a different file from the one on this device. Hand it in again.',
  unknown: 'This browser cannot compare the file with yours.',
} as const;

function ReceiptRegion({ id, title, receipt }: Props) {
  const { t, formatNumber } = useTranslation();
  const fileSize = useFileSize();
  const region = useRef<HTMLElement>(null);
  const isNew = Date.now() - receipt.keptAt < 5_000;
  const comparison = compareFiles(receipt);
  const { content, files, signed } = receipt;

  useLostFocus(region, isNew);

  return (
    <section ref={region} className="receipt" aria-label={t('Receipt')} tabIndex={-1}>
      <p className="receipt-title" role={isNew ? 'status' : undefined}>
        <Icon name="check" />
        {t('Handed in')}
      </p>
      <dl>
        {content && (
          <div>
            <dt>{t('Received')}</dt>
            <dd>
              <Time at={content.receivedAt} withSeconds />
            </dd>
          </div>
        )}
        {(content?.files ?? files).map(({ sha256, size }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a receipt never changes, and files may be identical
          <div key={`${index} ${sha256}`}>
            <dt className="written">{files[index]?.name ?? formatNumber(index + 1)}</dt>
            <dd>
              <span className="quiet small">{fileSize(size)} · SHA-256</span>
              <code className="hash">{sha256 || '–'}</code>
            </dd>
          </div>
        ))}
      </dl>
      {files
        .filter(({ isPortfolio }) => isPortfolio)
        .map(({ name }) => (
          <PortfolioNotice key={name} name={name} />
        ))}
      <p className={comparison === 'different' ? 'field-error' : 'small'} data-comparison={comparison}>
        {signed === null
          ? t('Your work is stored, but the service that signs receipts is not responding.')
          : t(comparisons[comparison])}
      </p>
      {signed !== null && (
        <div>
          <Button
            className="button"
            onPress={() =>
              download(`receipt-${content?.submissionId ?? id}.json`, receiptFile(title, receipt))
            }
          >
            <Icon name="download" />
            {t('Download receipt')}
          </Button>
        </div>
      )}
    </section>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
