{{/* The labels of an object: (dict "root" $ "component" "api"). */}}
{{- define "orchestrator.labels" -}}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{ include "orchestrator.selector" . }}
{{- end -}}

{{- define "orchestrator.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "orchestrator.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* The folder in which a process finds its secrets as files. */}}
{{- define "orchestrator.secretsFolder" -}}
/run/secrets/orchestrator
{{- end -}}

{{/* The secrets of a component that are configured, as a map of names to references, in JSON. */}}
{{- define "orchestrator.secrets" -}}
{{- $all := deepCopy (index .root.Values .component).secrets -}}
{{- if ne .component "migrate" -}}
{{- $all = merge $all (pick .root.Values.secrets "SECRETS_KEY") -}}
{{- end -}}
{{- if has .component (list "api" "worker") -}}
{{- $all = merge $all (pick .root.Values.secrets "PARTNER_TEST_KEY" "PARTNER_LIVE_KEY") -}}
{{- end -}}
{{- range $name, $from := $all -}}
{{- if not $from.existingSecret }}{{ $all = omit $all $name }}{{ end -}}
{{- end -}}
{{- toJson $all -}}
{{- end -}}

{{- define "orchestrator.env" -}}
{{- $folder := include "orchestrator.secretsFolder" . -}}
{{- if eq .component "migrate" -}}
{{- with .root.Values.env.ALLOW_PLAINTEXT }}
- { name: ALLOW_PLAINTEXT, value: {{ . | quote }} }
{{- end }}
{{- else }}
- { name: HOST, value: 0.0.0.0 }
{{- with .root.Values.networkPolicies.refusedCidrs }}
- { name: WEBHOOKS_REFUSED_CIDRS, value: {{ join "," . | quote }} }
{{- end }}
{{- range $name, $value := merge (deepCopy (index .root.Values .component).env) .root.Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- range $name, $from := include "orchestrator.secrets" . | fromJson }}
- { name: {{ $name }}_FILE, value: {{ $folder }}/{{ $name }} }
{{- end }}
{{- if and (eq .component "api") .root.Values.api.webhooks.tlsSecret }}
- { name: TLS_CERT_FILE, value: {{ $folder }}/tls.crt }
- { name: TLS_KEY_FILE, value: {{ $folder }}/tls.key }
{{- end }}
{{- if and (eq .component "worker") .root.Values.kafka.ca.existingSecret }}
- { name: KAFKA_CA_FILE, value: {{ $folder }}/kafka-ca.crt }
{{- end }}
{{- end -}}

{{/* The volume with the secrets of a component, and only those. */}}
{{- define "orchestrator.volume" -}}
name: secrets
projected:
  defaultMode: 0440
  sources:
    {{- range $name, $from := include "orchestrator.secrets" . | fromJson }}
    - secret: { name: {{ $from.existingSecret }}, items: [{ key: {{ $from.key }}, path: {{ $name }} }] }
    {{- end }}
    {{- with .root.Values.postgres.ca }}{{ if .existingSecret }}
    - secret: { name: {{ .existingSecret }}, items: [{ key: {{ .key }}, path: postgres-ca.crt }] }
    {{- end }}{{ end }}
    {{- if and (eq .component "worker") .root.Values.kafka.ca.existingSecret }}
    {{- with .root.Values.kafka.ca }}
    - secret: { name: {{ .existingSecret }}, items: [{ key: {{ .key }}, path: kafka-ca.crt }] }
    {{- end }}{{ end }}
    {{- if eq .component "api" }}{{ with .root.Values.api.webhooks.tlsSecret }}
    - secret:
        name: {{ . }}
        items: [{ key: tls.crt, path: tls.crt }, { key: tls.key, path: tls.key }]
    {{- end }}{{ end }}
{{- end -}}
