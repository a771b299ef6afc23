import {
  ConfigError,
  envOptional,
  envSecretOptional,
  isProductionProfile,
  webhooksToLoopback,
} from '#platform';
import { faultOfUrl } from '#webhook';

/** The languages in which notices are written. */
const LANGUAGES = ['en', 'fr'] as const;
export type NoticeLanguage = (typeof LANGUAGES)[number];

/** The injection token of the `NoticeConfig`, which is null if no notices are sent. */
export const NOTICES = Symbol('NOTICES');

/** The settings for sending e-mails. */
export interface EmailConfig {
  /** The SMTP server, e.g. `smtps://user:password@mail.example`. */
  readonly smtpUrl: string;
  readonly from: string;
  readonly to: readonly string[];
}

/** The settings for the notices of cases. */
export interface NoticeConfig {
  readonly webhookUrl: string | null;
  readonly email: EmailConfig | null;
  readonly language: NoticeLanguage;
  /** Whether the receivers may have loopback addresses, without TLS: for development. */
  readonly allowsLoopback: boolean;
  /** The interval between two reads of the open cases, in milliseconds. */
  readonly everyMs: number;
}

const EVERY_MS = 60_000;
const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

const webhookUrl = (allowsLoopback: boolean): string | null => {
  const text = envSecretOptional('NOTICE_WEBHOOK_URL');
  if (text === undefined) return null;
  const fault = faultOfUrl(text, { allowsLoopback });
  // The URL is a secret, so the message does not contain it.
  if (fault !== null) throw new ConfigError(`NOTICE_WEBHOOK_URL ${fault}`);
  return text;
};

const addressesOf = (name: string, text: string): readonly string[] => {
  const addresses = text.split(',').map((one) => one.trim());
  const wrong = addresses.find((one) => !ADDRESS.test(one));
  if (wrong === undefined) return addresses;
  throw new ConfigError(`${name} must have addresses like desk@example.com, not '${wrong}'`);
};

const email = (): EmailConfig | null => {
  const smtpUrl = envSecretOptional('NOTICE_SMTP_URL');
  const from = envOptional('NOTICE_EMAIL_FROM');
  const to = envOptional('NOTICE_EMAIL_TO');
  if (smtpUrl === undefined && from === undefined && to === undefined) return null;
  if (smtpUrl === undefined || from === undefined || to === undefined)
    throw new ConfigError('set NOTICE_SMTP_URL, NOTICE_EMAIL_FROM and NOTICE_EMAIL_TO, or none');
  const { protocol, hostname } = URL.parse(smtpUrl) ?? {};
  if ((protocol !== 'smtps:' && protocol !== 'smtp:') || hostname === '')
    throw new ConfigError('NOTICE_SMTP_URL must be like smtps://user:password@mail.example');
  const [sender = '', ...others] = addressesOf('NOTICE_EMAIL_FROM', from);
  if (others.length > 0) throw new ConfigError('NOTICE_EMAIL_FROM must be one address');
  return { smtpUrl, from: sender, to: addressesOf('NOTICE_EMAIL_TO', to) };
};

const language = (): NoticeLanguage => {
  const text = envOptional('NOTICE_LANGUAGE') ?? 'en';
  const known = LANGUAGES.find((one) => one === text);
  if (known !== undefined) return known;
  throw new ConfigError(`NOTICE_LANGUAGE must be ${LANGUAGES.join(' or ')}, not '${text}'`);
};

/** Reads the settings NOTICE_…; null if no receiver is set. Throws a `ConfigError`. */
export const noticesFromEnv = (): NoticeConfig | null => {
  const allowsLoopback = webhooksToLoopback();
  const config = {
    webhookUrl: webhookUrl(allowsLoopback),
    email: email(),
    language: language(),
    allowsLoopback: allowsLoopback && !isProductionProfile(),
    everyMs: EVERY_MS,
  };
  return config.webhookUrl === null && config.email === null ? null : config;
};
