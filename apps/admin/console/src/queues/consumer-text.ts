import type { Dictionary } from '../i18n/en';

const READ_MODEL = 'projection:';

/** The name of a consumer of the event log, e.g. `Read model: Payments`; its code if unknown. */
export const consumerText = ({ queues, readModels }: Dictionary, name: string): string => {
  if (!name.startsWith(READ_MODEL)) {
    const names: Readonly<Record<string, string>> = queues.consumers;
    return names[name] ?? name;
  }
  const model = name.slice(READ_MODEL.length);
  return queues.readModel(readModels[model] ?? model);
};
