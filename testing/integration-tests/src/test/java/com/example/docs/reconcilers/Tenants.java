/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.reconcilers;

import java.util.List;

import dev.informer.IndexFunction;
import dev.informer.client.CustomResource;
import dev.informer.reconcilers.Owned;
import dev.informer.reconcilers.Watched;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Watches;
import dev.informer.spring.InformerReconciler.Writes;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import org.jspecify.annotations.NullUnmarked;

import org.springframework.context.annotation.Bean;

class Tenants {

	@Bean
	IndexFunction<Tenant> secretName() {
		return (tenant) -> List.of(tenant.getSpec().getSecretName());
	}

	/**
	 * Reconciler with a Secret.
	 */
	static class WithSecret {

		@InformerReconciler(watches = @Watches(type = V1Secret.class, index = "secretName"))
		void reconcile(Tenant tenant, Watched<V1Secret> secrets) {
		}

	}

	/**
	 * Reconciler that declares its operations.
	 */
	static class WithPods {

		@InformerReconciler(owns = { V1Service.class, V1Pod.class },
				writes = @Writes(type = V1Pod.class, operations = { Operation.CREATE, Operation.DELETE }))
		void reconcile(Tenant tenant, Owned<V1Pod> pods) {
		}

	}

	/**
	 * Reconciler with a status and a cleanup.
	 */
	static class WithStatus {

		private final ObjectWriter writer;

		private final Accounts accounts;

		WithStatus(ObjectWriter writer, Accounts accounts) {
			this.writer = writer;
			this.accounts = accounts;
		}

		@InformerReconciler(owns = V1Pod.class)
		void reconcile(Tenant tenant, Owned<V1Pod> pods) throws ApiException {
			tenant.getStatus().setReady(pods.list().size());
			this.writer.updateStatus(tenant);
		}

		@InformerCleanup("example.com/tenant")
		void remove(Tenant tenant) {
			this.accounts.delete(tenant.getMetadata().getUid());
		}

	}

	/**
	 * Accounts in another system.
	 */
	interface Accounts {

		void delete(String id);

	}

	/**
	 * Tenant with a Secret and a status.
	 */
	@NullUnmarked
	@CustomResource(group = "example.com", version = "v1", plural = "tenants")
	static final class Tenant implements KubernetesObject {

		private String apiVersion;

		private String kind;

		private V1ObjectMeta metadata;

		private TenantSpec spec;

		private TenantStatus status = new TenantStatus();

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

		TenantSpec getSpec() {
			return this.spec;
		}

		TenantStatus getStatus() {
			return this.status;
		}

	}

	/**
	 * Specification of a tenant.
	 */
	@NullUnmarked
	static final class TenantSpec {

		private String secretName;

		String getSecretName() {
			return this.secretName;
		}

	}

	/**
	 * Status of a tenant.
	 */
	static final class TenantStatus {

		private int ready;

		void setReady(int ready) {
			this.ready = ready;
		}

		int getReady() {
			return this.ready;
		}

	}

}
