/**
 * SQL: the payment or merchant to which a job with this subject belongs. The subject is the id of
 * the entity, for the jobs of payment terminals followed by a colon and a suffix (`subjectOfCall`).
 */
export const entityOfSubject = (subject: string): string => `split_part(${subject}, ':', 1)`;
