/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;

/**
 * Of Strimzi, with annotations of Jackson on accessors, as operators in Java have them.
 */
@CustomResource(group = "kafka.strimzi.io", version = "v1", plural = "kafkas")
@JsonInclude(Include.NON_NULL)
@JsonPropertyOrder({ "apiVersion", "kind", "metadata", "spec", "status" })
public class Kafka implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	private Spec spec;

	private Status status;

	@JsonIgnore
	private String clusterName = "computed";

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	public Spec getSpec() {
		return this.spec;
	}

	public Status getStatus() {
		return this.status;
	}

	public void setStatus(Status status) {
		this.status = status;
	}

	@JsonIgnore
	public String getClusterName() {
		return this.clusterName;
	}

	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "kafka", "entityOperator", "cruiseControl" })
	public static class Spec {

		private Broker kafka;

		private EntityOperator entityOperator;

		private Map<String, Map<String, Object>> cruiseControl;

		public Broker getKafka() {
			return this.kafka;
		}

	}

	@JsonInclude(Include.NON_EMPTY)
	public static class Broker {

		private String version;

		private String metadataVersion;

		private List<Listener> listeners = new ArrayList<>();

		private Map<String, Object> config;

		private Map<String, Object> authorization;

		private Template template;

		private Map<String, Object> metricsConfig;

		private JvmOptions jvmOptions;

		public Map<String, Object> getConfig() {
			return this.config;
		}

		public void setJvmOptions(JvmOptions jvmOptions) {
			this.jvmOptions = jvmOptions;
		}

	}

	public static class JvmOptions {

		private Map<String, String> xx;

		private String xms;

		private boolean gcLoggingEnabled;

		JvmOptions() {
		}

		public JvmOptions(Map<String, String> xx, String xms) {
			this.xx = xx;
			this.xms = xms;
		}

		@JsonProperty("-XX")
		public Map<String, String> getXx() {
			return this.xx;
		}

		@JsonProperty("-Xms")
		public String getXms() {
			return this.xms;
		}

		public boolean isGcLoggingEnabled() {
			return this.gcLoggingEnabled;
		}

	}

	public static class Listener {

		private String name;

		private int port;

		private ListenerType type;

		private boolean tls;

		private Map<String, Object> authentication;

		public int getPort() {
			return this.port;
		}

	}

	public enum ListenerType {

		INTERNAL, ROUTE, CLUSTER_IP;

		@JsonCreator
		public static ListenerType forValue(String value) {
			return valueOf(value.toUpperCase(Locale.ROOT).replace('-', '_'));
		}

		@JsonValue
		public String toValue() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

	public static class Template {

		private Volumes pod;

		private Mounts kafkaContainer;

	}

	public static class Volumes {

		private List<V1Volume> volumes;

	}

	public static class Mounts {

		private List<V1VolumeMount> volumeMounts;

	}

	public static class EntityOperator {

		private Map<String, Object> topicOperator;

		private Map<String, Object> userOperator;

	}

	public static class Status {

		private List<Map<String, String>> conditions;

		private String clusterId;

		private AutoRebalance autoRebalance;

		public void setConditions(List<Map<String, String>> conditions) {
			this.conditions = conditions;
		}

		public void setAutoRebalance(AutoRebalance autoRebalance) {
			this.autoRebalance = autoRebalance;
		}

	}

	public enum RebalanceState {

		@JsonProperty("Idle")
		IDLE,

		@JsonProperty("RebalanceOnScaleUp")
		SCALE_UP

	}

	public static final class AutoRebalance {

		private final RebalanceState state;

		@JsonCreator
		public AutoRebalance(@JsonProperty("state") RebalanceState state) {
			this.state = state;
		}

		public RebalanceState getState() {
			return this.state;
		}

	}

}
