/** The start of a day, or of the next day, in the viewer's time zone. */
export const momentOf = (day: string, isEnd: boolean): string => {
  const at = new Date(`${day}T00:00:00`);
  if (isEnd) at.setDate(at.getDate() + 1);
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
};

/** The next calendar day, in any time zone. */
export const dayAfter = (day: string): string => {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + 1);
  return Number.isNaN(at.getTime()) ? day : at.toISOString().slice(0, 10);
};
