import type { Dictionary } from '../en';

export const problems: Dictionary['problems'] = {
  network: 'Le serveur est injoignable. Les données affichées peuvent être périmées.',
  unreadable: 'La console ne peut pas lire la réponse du serveur. Rechargez la page.',
  internal_error:
    'Erreur interne. Réessayez ; si l’échec persiste, donnez la référence à l’assistance.',
  busy: 'Trop de modifications simultanées. Réessayez.',
  rate_limited: 'Trop de requêtes. Réessayez dans un instant.',
  provider_unavailable: 'Le prestataire est indisponible. Réessayez plus tard.',
  provider_refused: 'Le prestataire a rejeté la requête :',
  provider_rejected: 'Le prestataire a rejeté la requête :',
  provider_unauthorized:
    'Le prestataire a rejeté la clé d’API enregistrée pour ce compte prestataire. Demandez à ' +
    'la plateforme d’enregistrer de nouveau le compte avec une clé valide : ' +
    'POST /v1/provider-accounts.',
  provider_rate_limited: 'Le prestataire a reçu trop de requêtes. Réessayez dans un instant.',
  provider_unknown_outcome:
    'Le prestataire n’a pas répondu : la requête a peut-être été exécutée. Ne la redemandez pas ; ' +
    'consultez son dossier.',
  bug: 'Erreur interne :',
  unauthorized: 'Votre session avait expiré. Vous êtes reconnecté : réessayez.',
  csrf_refused: 'Vous vous êtes reconnecté dans un autre onglet. Réessayez.',
  scope_missing:
    'Votre accès est limité à certaines plateformes ou à certains marchands. Adressez-vous à un utilisateur sans cette limite.',
  amount_above_limit:
    'Le montant dépasse la limite de l’utilisateur pour une action, ou ses limites n’autorisent aucun ' +
    'montant dans cette devise. Un utilisateur dont la limite est plus élevée doit le faire.',
  role_missing: 'Votre rôle ne permet pas cette action.',
  validation_failed: 'Certains champs sont invalides.',
  not_found: 'Introuvable.',
  entity_not_found: 'L’objet est introuvable, ou son statut ne permet pas l’action.',
  account_not_found: 'Compte prestataire introuvable.',
  account_disabled: 'Le compte prestataire est déjà désactivé.',
  account_in_use:
    'Des commandes utilisent ou ont déjà utilisé le compte prestataire. Pour ne plus ' +
    'l’utiliser, désactivez-le.',
  already_approved:
    'Le compte prestataire est déjà approuvé, et sa date de mise en service est fixée.',
  user_not_found: 'Utilisateur introuvable.',
  key_not_found: 'Aucune clé d’API active ne commence par ces caractères.',
  action_not_found: 'Demande d’action introuvable.',
  name_taken: 'Un utilisateur porte déjà ce nom.',
  invalid_name: 'Utilisez 2 à 32 lettres minuscules, chiffres, points, _ ou -.',
  invalid_expiry: 'L’expiration doit être une date à venir, ou rester vide.',
  invalid_day: 'Choisissez aujourd’hui ou un jour antérieur, datant de 400 jours au plus.',
  too_many_keys: 'La plateforme a déjà 20 clés actives. Révoquez-en une d’abord.',
  too_many_views: 'Vous avez enregistré 50 vues. Supprimez-en une d’abord.',
  too_many_exports: 'Vous avez 10 exports. Supprimez-en un d’abord.',
  export_not_found: 'L’export n’existe plus.',
  view_not_found: 'Cette vue n’existe plus.',
  webhook_endpoint_disabled: 'L’endpoint webhook est désactivé. Activez-le d’abord.',
  no_open_delivery:
    'Aucun de ces webhooks n’est en attente ni en échec : il ne reste rien à envoyer.',
  too_many_webhook_endpoints:
    'La plateforme a déjà 20 endpoints webhook. Elle doit d’abord en supprimer un.',
  platform_ambiguous:
    'Plusieurs plateformes ont un marchand de cet identifiant. Choisissez aussi la plateforme.',
  platform_unknown: 'La plateforme n’a pas de clé d’API. Créez-en une d’abord.',
  user_changed: 'Le rôle de l’utilisateur a changé entre-temps. Rechargez la page et réessayez.',
  case_not_found: 'Dossier introuvable : un dossier disparaît quand son problème est résolu.',
  incident_unknown: 'Incident introuvable. Rechargez la page.',
  invalid_snooze: 'Choisissez un moment dans les 90 prochains jours.',
  snooze_past_deadline: 'L’échéance du dossier est plus proche. Choisissez une durée plus courte.',
  merchant_not_found: 'Marchand introuvable.',
  invalid_platform:
    'Un identifiant de plateforme compte 1 à 64 lettres, chiffres, _ ou -, et n’est pas console.',
  limit_unknown:
    'Cette limite n’existe pas : pour un mandat, seuls les prélèvements peuvent être limités.',
  user_enabled: 'L’utilisateur est déjà activé.',
  last_admin: 'Au moins un administrateur est requis. Créez-en un autre d’abord.',
  own_account:
    'Changez votre mot de passe ou votre second facteur dans le menu de votre compte, ou ' +
    'demandez à un autre administrateur de le réinitialiser.',
  weak_password:
    'Utilisez un nouveau mot de passe de 12 à 128 caractères, sans votre nom et qui ne soit pas ' +
    'un mot de passe courant.',
  wrong_code: 'Le code est erroné, expiré ou déjà utilisé. Saisissez un nouveau code.',
  wrong_security_key:
    'La réponse de la clé de sécurité est erronée ou arrivée trop tard. Réessayez.',
  security_key_not_found: 'Clé de sécurité introuvable.',
  security_keys_unavailable:
    'Les clés de sécurité exigent une adresse de la console avec un nom de domaine, pas une adresse IP.',
  too_many_security_keys: 'Vous avez dix clés de sécurité. Retirez-en une d’abord.',
  second_factor_absent: 'L’utilisateur n’a pas de second facteur.',
  second_factor_not_begun: 'Une configuration ultérieure a remplacé celle-ci. Recommencez.',
  second_factor_required: 'Saisissez d’abord un code de votre second facteur.',
  second_factor_set_up_required: 'Configurez d’abord un second facteur.',
  provider_sign_in_required:
    'Connectez-vous d’abord chez le fournisseur d’identité, puis configurez le second facteur.',
  identity_provider_absent:
    'Aucun fournisseur d’identité n’est configuré. Connectez-vous avec votre mot de passe.',
  identity_provider_unavailable:
    'Le fournisseur d’identité ne répond pas. Réessayez, ou connectez-vous avec votre mot de passe.',
  identity_provider_refused:
    'Le fournisseur d’identité a refusé la connexion. Réessayez, ou connectez-vous avec votre mot ' +
    'de passe.',
  identity_token_invalid:
    'La réponse du fournisseur d’identité est invalide ou a expiré. Recommencez la connexion.',
  sign_in_not_begun:
    'La connexion n’a pas été commencée dans ce navigateur au cours des 10 dernières minutes. ' +
    'Recommencez-la.',
  email_not_verified:
    'Le fournisseur d’identité n’a pas vérifié votre adresse e-mail. Faites-la vérifier, ou ' +
    'connectez-vous avec votre mot de passe.',
  identity_unknown:
    'Aucun utilisateur de la console ne correspond à ce compte du fournisseur d’identité. ' +
    'Demandez à un administrateur d’enregistrer votre adresse e-mail.',
  identity_expired:
    'Votre adresse e-mail a été enregistrée il y a plus de sept jours. Demandez à un ' +
    'administrateur de l’enregistrer à nouveau.',
  user_disabled:
    'Votre compte utilisateur est désactivé. Demandez à un administrateur de l’activer.',
  email_taken: 'Un autre utilisateur est enregistré avec cette adresse e-mail.',
  invalid_email: 'Saisissez une adresse e-mail telle que jane@company.example.',
  identity_absent: 'L’utilisateur n’a pas de connexion unique.',
  wrong_password: 'Le mot de passe actuel est erroné.',
  own_action: 'Une seconde personne doit approuver votre demande.',
  own_change: 'Un autre administrateur doit approuver les modifications de votre compte.',
  not_pending: 'La demande n’est plus en attente d’approbation.',
  already_requested: 'La même demande est déjà en cours.',
  preview_changed: 'L’effet de l’action diffère de votre aperçu. Prévisualisez à nouveau.',
  requests_changed:
    'Les requêtes en échec de l’incident ont changé depuis la demande : elle ne peut pas être ' +
    'approuvée. Rejetez-la ; l’action peut ensuite être demandée à nouveau.',
  not_seen: 'Prévisualisez d’abord l’action.',
  account_in_doubt:
    'Vous et le demandeur n’êtes pas considérés comme indépendants, p. ex. parce que l’un de ' +
    'vous a créé, réinitialisé ou modifié l’utilisateur de l’autre ou associé sa connexion ' +
    'unique, parce qu’une même personne a défini vos deux mots de passe ou associé vos ' +
    'connexions uniques, ou parce que vous avez vu la clé d’API de la demande. Une autre ' +
    'personne doit approuver.',
  requester_not_allowed: 'Le demandeur n’a plus le droit de demander cette action.',
  interrupted:
    'L’action a été interrompue avant son exécution : elle n’a eu aucun effet. Prévisualisez-la et ' +
    'demandez-la à nouveau.',
  marked_failed: 'L’action était déjà marquée en échec ; elle n’a pas été exécutée.',
  no_intent: 'L’intention de paiement n’existe pas encore chez le prestataire.',
  no_account: 'Le compte prestataire du paiement est introuvable.',
  not_stuck: 'La requête ne nécessite plus d’action. Rechargez la liste.',
  intent_not_found:
    'Le prestataire n’a pas d’intention de paiement pour ce paiement. Relancez la requête : l’état ' +
    'est lu chez le prestataire avant le nouvel envoi.',
  result_not_shown:
    'Le résultat de la requête n’apparaît pas chez le prestataire. Relancez la requête : l’état ' +
    'est lu chez le prestataire avant le nouvel envoi.',
  refund_not_requested: 'Aucun remboursement de ce paiement n’a été demandé.',
  no_other_refund:
    'Aucun remboursement non enregistré de ce montant n’apparaît chez le prestataire. ' +
    'Décochez la case et prévisualisez à nouveau.',
  possibly_ours:
    'Ce remboursement provient peut-être de notre requête : il ne peut pas être déclaré ' +
    'comme un autre remboursement. Décochez la case et prévisualisez à nouveau.',
  refunds_not_listed:
    'Les remboursements de ce paiement n’apparaissent pas encore chez le prestataire. Réessayez ' +
    'plus tard.',
  may_still_arrive:
    'La requête a échoué récemment et peut encore parvenir au prestataire. Réessayez 15 ' +
    'minutes après l’échec.',
  not_blocked: 'Le workflow n’a pas de réaction automatique en échec.',
  already_reacted:
    'Le workflow a déjà traité cet événement, ou la réaction a été abandonnée. Rechargez la ' +
    'liste.',
  workflow_missing: 'Indiquez le workflow.',
  stimulus_missing: 'Indiquez l’événement ou la tâche planifiée dont la réaction est à abandonner.',
  not_authorized: 'Le paiement n’est pas autorisé.',
  not_captured: 'Aucun montant capturé n’est remboursable.',
  payment_not_found: 'Paiement introuvable.',
  order_not_found: 'Commande introuvable.',
  payment_closing: 'Le paiement est en cours d’annulation.',
  order_paid: 'La commande est déjà payée et ne peut plus être annulée : remboursez-la.',
  order_ended: 'La commande a déjà expiré ou échoué.',
  payment_ended: 'Le paiement a déjà un statut définitif : cette action n’est plus possible.',
  payment_disputed:
    'Le paiement a été contesté : il n’est plus remboursable, même si la contestation a été ' +
    'gagnée.',
  already_refunded: 'La totalité du montant a déjà été remboursée.',
  refund_exceeds_payment: 'Le montant dépasse le montant remboursable du paiement.',
  capability_missing: 'Le prestataire de ce compte ne permet pas cette opération.',
  capture_exceeds_authorized: 'Le montant dépasse le montant autorisé restant à capturer.',
  capture_in_progress:
    'Une autre capture de ce paiement est en cours. Attendez qu’elle se termine.',
  invalid_amount: 'Le montant doit être supérieur à zéro.',
  no_mismatch: 'Il ne reste aucun écart de statut à examiner.',
  refund_not_open: 'Le remboursement a déjà été réémis ou abandonné.',
  fee_not_shown: 'Le prestataire n’indique pas de frais pour cette ligne.',
  line_differs_otherwise:
    'La ligne a une autre devise que le grand livre ou le versement, qui ne peut être comptabilisée.',
  payout_failed:
    'Le versement a échoué : ses lignes passent dans un autre versement, où elles peuvent être acceptées.',
  payout_may_change:
    'Le versement n’est pas encore envoyé, ou toutes ses lignes n’ont pas encore été lues : elles ' +
    'peuvent changer. Acceptez la ligne ensuite.',
  refund_in_progress:
    'Un autre remboursement de ce paiement est en cours. Attendez qu’il se termine.',
};
