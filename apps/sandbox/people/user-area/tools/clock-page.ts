import type { Instant } from '#kernel';
import { nextCutOff, nextMorning } from '../../../money/bank-days.js';
import { html, type SafeHtml } from '../../web/html.js';
import { actionButton, actionForm, selectField, textField } from '../web/actions.js';
import { block } from '../web/parts.js';
import { clockFace, preciseTime, time } from '../web/times.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import { words } from '../../web/words.js';

export const clockWords = words(
  {
    title: 'Clock',
    lead: 'The sandbox has one clock, for both modes. It can be moved forward only.',
    advance: 'Advance',
    cut_off: 'To the next cut-off',
    morning: 'To the next payout run',
    hour: '+ 1 hour',
    day: '+ 1 day',
    week: '+ 7 days',
    own: 'Custom duration',
    number: 'Duration',
    unit: 'Unit',
    minutes: 'minutes',
    hours: 'hours',
    days: 'days',
    go: 'Advance',
    rate: 'Rate',
    rateHint: 'Sandbox seconds per real second. 1 is real time.',
    setRate: 'Set rate',
    next: 'Next work due:',
    nothing: 'Nothing is scheduled',
    utc: 'UTC',
    moved: 'Clock advanced: all work due up to the new time was executed.',
    rated: 'Rate set.',
    badDuration: 'Enter a number of minutes, hours or days.',
    badRate: 'Enter a rate from 0.001 to 1,000,000.',
    realTime: 'real time',
  },
  {
    title: 'Horloge',
    lead: 'Le bac à sable a une seule horloge pour les deux modes. Elle ne peut qu’avancer.',
    advance: 'Avancer',
    cut_off: 'À la prochaine heure limite',
    morning: 'Aux prochains versements',
    hour: '+ 1 heure',
    day: '+ 1 jour',
    week: '+ 7 jours',
    own: 'Durée libre',
    number: 'Durée',
    unit: 'Unité',
    minutes: 'minutes',
    hours: 'heures',
    days: 'jours',
    go: 'Avancer',
    rate: 'Vitesse',
    rateHint: 'Secondes du bac à sable par seconde réelle. 1 est le temps réel.',
    setRate: 'Régler la vitesse',
    next: 'Prochaine échéance :',
    nothing: 'Rien de planifié',
    utc: 'UTC',
    moved: 'Horloge avancée : tous les traitements échus ont été exécutés.',
    rated: 'Vitesse réglée.',
    badDuration: 'Saisissez un nombre de minutes, d’heures ou de jours.',
    badRate: 'Saisissez une vitesse de 0,001 à 1 000 000.',
    realTime: 'temps réel',
  },
);

type ClockWords = ReturnType<typeof clockWords>;

/** The moves of the clock for which the page has a button. */
export const STEPS = ['cut_off', 'morning', 'hour', 'day', 'week'] as const;

const stepHint = (view: View, step: (typeof STEPS)[number]): SafeHtml | null => {
  if (step === 'cut_off') return time(nextCutOff(view.now), view.locale);
  return step === 'morning' ? time(nextMorning(view.now), view.locale) : null;
};

const steps = (view: View, text: ClockWords): SafeHtml =>
  html`<div class="steps">
    ${STEPS.map(
      (step) =>
        html`<div class="step">
          ${actionButton(view, {
            path: pathIn(view, 'clock/advance'),
            label: text[step],
            tone: step === 'cut_off' || step === 'morning' ? 'main' : 'plain',
            fields: html`<input type="hidden" name="step" value="${step}" />`,
          })}${stepHint(view, step)}
        </div>`,
    )}
  </div>`;

const ownForm = (view: View, text: ClockWords): SafeHtml =>
  actionForm(view, {
    path: pathIn(view, 'clock/advance'),
    label: text.go,
    fields: html`${textField({
      name: 'number',
      label: text.number,
      inputmode: 'numeric',
      isRequired: true,
      value: '12',
    })}${selectField({
      name: 'unit',
      label: text.unit,
      value: 'hours',
      choices: ['minutes' as const, 'hours' as const, 'days' as const].map((value) => ({
        value,
        label: text[value],
      })),
    })}`,
  });

const rateForm = (view: View, text: ClockWords): SafeHtml =>
  actionForm(view, {
    path: pathIn(view, 'clock/rate'),
    label: text.setRate,
    fields: textField({
      name: 'rate',
      label: text.rate,
      hint: text.rateHint,
      inputmode: 'decimal',
      value: String(view.rate),
      isRequired: true,
    }),
  });

/** The clock, and the form that moves it. */
export const clockPage = (view: View, nextDue: Instant | null): PageContent => {
  const text = clockWords(view.locale);
  const face = clockFace(view.now, view.locale);
  const rate = view.rate === 1 ? text.realTime : `× ${view.rate}`;
  const body = html`<h1>${text.title}</h1>
    <p class="lead">${text.lead}</p>
    <section class="block clock-face" aria-label="${text.title}">
      <p class="clock-time">
        <time datetime="${view.now}" data-clock-rate="${view.rate}" data-clock-face="yes"
          >${face.time}</time
        >
        <span>${text.utc}</span>
      </p>
      <p class="clock-day">${face.day} · ${rate}</p>
      <p class="hint">
        ${nextDue === null ? text.nothing : html`${text.next} ${preciseTime(nextDue, view.locale)}`}
      </p>
    </section>
    ${block(text.advance, steps(view, text))}
    <div class="two even">
      <div>${block(text.own, ownForm(view, text))}</div>
      <div>${block(text.rate, rateForm(view, text))}</div>
    </div>`;
  return { section: 'clock', title: text.title, body };
};
