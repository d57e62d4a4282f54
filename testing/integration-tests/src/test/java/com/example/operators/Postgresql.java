/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EmptyDirVolumeSource;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;

/**
 * Of Zalando's operator, with maps of everything, names with underscores and a kind in
 * lower case.
 */
@CustomResource(group = "acid.zalan.do", version = "v1", plural = "postgresqls", kind = "postgresql")
class Postgresql implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	Spec spec;

	Status status;

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

	static class Spec {

		String dockerImage;

		String teamId;

		int numberOfInstances;

		Map<String, List<Flag>> users;

		Boolean enableMasterLoadBalancer;

		Boolean enableReplicaLoadBalancer;

		Boolean enableConnectionPooler;

		Boolean enableReplicaConnectionPooler;

		Boolean enableMasterPoolerLoadBalancer;

		Boolean enableReplicaPoolerLoadBalancer;

		Boolean enableShmVolume;

		HashSet<String> allowedSourceRanges;

		Map<String, String> databases;

		Map<String, Database> preparedDatabases;

		Engine postgresql;

		Map<String, String> volume;

		List<Volume> additionalVolumes;

		V1ResourceRequirements resources;

		Patroni patroni;

		V1Container[] initContainers;

		Map<String, String> tls;

		Map<String, String> standby;

	}

	enum Flag {

		superuser, createdb, login

	}

	static class Database {

		Boolean defaultUsers;

		Map<String, String> extensions;

		Map<String, Schema> schemas;

	}

	static class Schema {

		Boolean defaultRoles;

		Boolean defaultUsers;

	}

	static class Engine {

		String version;

		TreeMap<Parameter, String> parameters;

	}

	enum Parameter {

		@SerializedName("shared_buffers")
		SHARED_BUFFERS,

		@SerializedName("max_connections")
		MAX_CONNECTIONS,

		@SerializedName("log_statement")
		LOG_STATEMENT

	}

	static class Volume {

		String name;

		String mountPath;

		String[] targetContainers;

		Map<String, V1EmptyDirVolumeSource> volumeSource;

	}

	static class Patroni {

		@SerializedName("failsafe_mode")
		Boolean failsafe;

		Map<String, String> initdb;

		int ttl;

		@SerializedName("loop_wait")
		long loopWait;

		@SerializedName("retry_timeout")
		Byte retryTimeout;

		@SerializedName("synchronous_mode")
		boolean synchronous;

		@SerializedName("synchronous_mode_strict")
		boolean strict;

		@SerializedName("synchronous_node_count")
		short nodes;

		@SerializedName("maximum_lag_on_failover")
		BigInteger lag;

	}

	static class Status {

		@SerializedName("PostgresClusterStatus")
		String phase;

	}

}
