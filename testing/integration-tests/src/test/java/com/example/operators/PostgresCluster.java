/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1SecretKeySelector;
import io.kubernetes.client.openapi.models.V1TypedLocalObjectReference;

/**
 * Of CloudNativePG, whose parts are like values of Lombok: final fields and a constructor
 * with all of them.
 */
@CustomResource(group = "postgresql.cnpg.io", version = "v1", plural = "clusters", kind = "Cluster")
final class PostgresCluster implements KubernetesObject {

	private final String apiVersion = null;

	private final String kind = null;

	private final V1ObjectMeta metadata = null;

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

	static final class Spec {

		final int instances;

		final Storage storage;

		@SerializedName("primaryUpdateStrategy")
		final UpdateStrategy strategy;

		final CatalogRef imageCatalogRef;

		final Backup backup;

		final SortedMap<String, SortedMap<String, String>> bootstrap;

		final Replica replica;

		final List<ExternalCluster> externalClusters;

		Spec(int instances, Storage storage, UpdateStrategy strategy, CatalogRef imageCatalogRef, Backup backup,
				SortedMap<String, SortedMap<String, String>> bootstrap, Replica replica,
				List<ExternalCluster> externalClusters) {
			this.instances = instances;
			this.storage = storage;
			this.strategy = strategy;
			this.imageCatalogRef = imageCatalogRef;
			this.backup = backup;
			this.bootstrap = bootstrap;
			this.replica = replica;
			this.externalClusters = externalClusters;
		}

		Spec withInstances(int instances) {
			return new Spec(instances, this.storage, this.strategy, this.imageCatalogRef, this.backup, this.bootstrap,
					this.replica, this.externalClusters);
		}

	}

	enum UpdateStrategy {

		// named as in the definition
		unsupervised, supervised

	}

	static final class CatalogRef extends V1TypedLocalObjectReference {

		int major;

	}

	static final class Storage {

		final String storageClass;

		final Quantity size;

		final boolean resizeInUseVolumes;

		Storage(String storageClass, Quantity size, boolean resizeInUseVolumes) {
			this.storageClass = storageClass;
			this.size = size;
			this.resizeInUseVolumes = resizeInUseVolumes;
		}

	}

	static final class Backup {

		final ObjectStore barmanObjectStore;

		final BackupTarget target;

		Backup(ObjectStore barmanObjectStore, BackupTarget target) {
			this.barmanObjectStore = barmanObjectStore;
			this.target = target;
		}

	}

	enum BackupTarget {

		@SerializedName("primary")
		PRIMARY,

		@SerializedName("prefer-standby")
		PREFER_STANDBY

	}

	static final class ObjectStore {

		final String serverName;

		final String destinationPath;

		@SerializedName("endpointURL")
		final String endpoint;

		final SortedMap<String, V1SecretKeySelector> s3Credentials;

		final Map<String, String> wal;

		ObjectStore(String serverName, String destinationPath, String endpoint,
				SortedMap<String, V1SecretKeySelector> s3Credentials, Map<String, String> wal) {
			this.serverName = serverName;
			this.destinationPath = destinationPath;
			this.endpoint = endpoint;
			this.s3Credentials = s3Credentials;
			this.wal = wal;
		}

	}

	static final class Replica {

		final String self;

		final String primary;

		final String source;

		Replica(String self, String primary, String source) {
			this.self = self;
			this.primary = primary;
			this.source = source;
		}

	}

	static final class ExternalCluster {

		final String name;

		final ObjectStore barmanObjectStore;

		ExternalCluster(String name, ObjectStore barmanObjectStore) {
			this.name = name;
			this.barmanObjectStore = barmanObjectStore;
		}

	}

	static final class Status {

		final int readyInstances;

		final Map<String, List<String>> instancesStatus;

		final Map<String, OffsetDateTime> lastSuccessfulBackupByMethod;

		Status(int readyInstances, Map<String, List<String>> instancesStatus,
				Map<String, OffsetDateTime> lastSuccessfulBackupByMethod) {
			this.readyInstances = readyInstances;
			this.instancesStatus = instancesStatus;
			this.lastSuccessfulBackupByMethod = lastSuccessfulBackupByMethod;
		}

	}

}
