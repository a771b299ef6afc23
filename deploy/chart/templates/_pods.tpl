{{/*
What all pods have in common: (dict "root" $ "component" "api"). Service links are off, because the
service of a release named `api` would otherwise set variables such as API_PORT.
*/}}
{{- define "orchestrator.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.scheduling }}
{{ toYaml . }}
{{- end }}
volumes:
  - {{- include "orchestrator.volume" . | nindent 4 }}
{{- end -}}

{{- define "orchestrator.container" -}}
name: {{ .component }}
image: {{ include "orchestrator.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{ toYaml (index .root.Values .component).resources | nindent 2 }}
env: {{ include "orchestrator.env" . | nindent 2 }}
volumeMounts:
  - { name: secrets, mountPath: {{ include "orchestrator.secretsFolder" . }}, readOnly: true }
{{- end -}}

{{/*
A Deployment: (dict "root" $ "component" "api" "heap" (list …) "ports" (dict "http" 4100) "probed"
"http"). `probed` is the port that answers /health.
*/}}
{{- define "orchestrator.deployment" -}}
{{- $own := index .root.Values .component -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .component }}
  labels: {{ include "orchestrator.labels" . | nindent 4 }}
spec:
  {{- if not $own.autoscaling.enabled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels: {{ include "orchestrator.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{ include "orchestrator.labels" . | nindent 8 }}
    spec: {{- include "orchestrator.pod" . | nindent 6 }}
      topologySpreadConstraints:
        {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - topologyKey: {{ $key }}
          maxSkew: 1
          whenUnsatisfiable: ScheduleAnyway
          matchLabelKeys: [pod-template-hash]
          labelSelector:
            matchLabels: {{ include "orchestrator.selector" $ | nindent 14 }}
        {{- end }}
      # The process ends within 10 s of SIGTERM.
      terminationGracePeriodSeconds: 30
      containers:
        - {{- include "orchestrator.container" . | nindent 10 }}
          command:
            - node
            - --enable-source-maps
            {{- range .heap }}
            - {{ . }}
            {{- end }}
            - dist/programs/{{ .component }}.js
          ports:
            {{- range $name, $port := .ports }}
            - { name: {{ $name }}, containerPort: {{ $port }} }
            {{- end }}
          startupProbe:
            httpGet: { path: /health/live, port: {{ .probed }} }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health/live, port: {{ .probed }} }
            timeoutSeconds: 5
          readinessProbe:
            httpGet: { path: /health/ready, port: {{ .probed }} }
            periodSeconds: 5
            timeoutSeconds: 3
          {{- if ne .component "worker" }}
          # Until the load balancers of all nodes have removed the pod, it accepts requests.
          lifecycle: { preStop: { sleep: { seconds: 5 } } }
          {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .root.Release.Name }}-{{ .component }}
  labels: {{ include "orchestrator.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{ include "orchestrator.selector" . | nindent 6 }}
{{- end -}}

{{/* A HorizontalPodAutoscaler: (dict "root" $ "component" "api" "metric" …). */}}
{{- define "orchestrator.autoscaler" -}}
{{- $scaling := (index .root.Values .component).autoscaling -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .root.Release.Name }}-{{ .component }}
  labels: {{ include "orchestrator.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ .root.Release.Name }}-{{ .component }}
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    - {{- include .metric (merge (dict "release" .root.Release.Name) $scaling) | nindent 6 }}
{{- end -}}

{{- define "orchestrator.cpuMetric" -}}
type: Resource
resource:
  name: cpu
  target: { type: Utilization, averageUtilization: {{ .cpuPercent }} }
{{- end -}}

{{/*
The number of jobs that are due, per worker. The metric is external, and not one of the pods, because
each worker reports the number of all jobs: adding a worker does not lower what a pod reports. The
PodMonitor sets the label `release`.
*/}}
{{- define "orchestrator.readyJobsMetric" -}}
type: External
external:
  metric:
    name: {{ .readyJobs.metric }}
    selector: { matchLabels: { release: {{ .release | quote }} } }
  target: { type: AverageValue, averageValue: {{ .readyJobs.perWorker | quote }} }
{{- end -}}
