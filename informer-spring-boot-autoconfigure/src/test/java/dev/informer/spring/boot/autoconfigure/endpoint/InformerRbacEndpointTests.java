/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import dev.informer.client.CustomResource;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Writes;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InformerRbacEndpoint}.
 */
class InformerRbacEndpointTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerEndpointAutoConfiguration.class))
		.withPropertyValues("informer.auto-startup=false", "informer.connection.url=https://localhost",
				"management.endpoints.web.exposure.include=*");

	@Test
	void reconciler_hasTheRightsThatItDeclares() {
		this.runner.withBean(Reconciler.class).run((context) -> assertThat(manifest(context)).endsWith("""
				rules:
				- apiGroups: ['']
				  resources: [pods]
				  verbs: [list, watch, create, delete]
				- apiGroups: ['']
				  resources: [secrets]
				  verbs: [list, watch]
				- apiGroups: ['']
				  resources: [services]
				  verbs: [list, watch, create, patch]
				- apiGroups: [apps]
				  resources: [deployments]
				  verbs: [list, watch, update]
				- apiGroups: [gateway.networking.k8s.io]
				  resources: [gateways]
				  verbs: [list, watch, patch]
				- apiGroups: [gateway.networking.k8s.io]
				  resources: [gateways/status]
				  verbs: [update]
				"""));
	}

	@Test
	void readOnlyReconciler_hasNoRightToWrite() {
		this.runner.withBean(ReadOnly.class)
			.run((context) -> assertThat(manifest(context)).contains("resources: [gateways]")
				.doesNotContain("status", "update", "patch", "create"));
	}

	@Test
	void ownedObjects_areWrittenInTheNamespacesOfTheirOwners() {
		this.runner.withBean(Reconciler.class)
			.withPropertyValues("informer.resources.gateways.namespaces=shop")
			.run((context) -> {
				String[] roles = manifest(context).split("---\n");
				assertThat(roles).hasSize(2);
				assertThat(roles[0]).contains("kind: ClusterRole", "services")
					.doesNotContain("create", "patch", "delete");
				assertThat(roles[1]).contains("namespace: shop", """
						  resources: [services]
						  verbs: [create, patch]
						""", """
						  resources: [pods]
						  verbs: [create, delete]
						""");
			});
	}

	@Test
	void informerOfOneObject_hasRightsOnItAlone() {
		this.runner.withBean(Settings.class)
			.withPropertyValues("informer.resources.shopsettings.resource=configmaps",
					"informer.resources.shopsettings.namespaces=shop",
					"informer.resources.shopsettings.field-selector=metadata.name=shop-settings")
			.run((context) -> assertThat(manifest(context)).endsWith("""
					  namespace: shop
					rules:
					- apiGroups: ['']
					  resources: [configmaps]
					  resourceNames: [shop-settings]
					  verbs: [list, watch, patch]
					"""));
	}

	@Test
	void informerWithoutAWatch_hasNoRightToWatch() {
		this.runner
			.withPropertyValues("informer.resources.polled.resource=configmaps",
					"informer.resources.polled.watch=false")
			.run((context) -> assertThat(manifest(context)).endsWith("""
					  resources: [configmaps]
					  verbs: [list]
					"""));
	}

	@Test
	void declaredApplyWithOwner_listsTheObject() {
		this.runner
			.withPropertyValues("informer.writer.writes.pods.operations=apply",
					"informer.writer.writes.pods.with-owner=true", "informer.writer.writes.secrets.operations=apply")
			.run((context) -> assertThat(manifest(context)).contains("""
					  resources: [pods]
					  verbs: [list, create, patch]
					""", """
					  resources: [secrets]
					  verbs: [create, patch]
					"""));
	}

	private static String manifest(ApplicationContext context) {
		return context.getBean(InformerRbacEndpoint.class).manifest();
	}

	@CustomResource(group = "gateway.networking.k8s.io", version = "v1", plural = "gateways")
	static class Gateway implements KubernetesObject {

		private final V1ObjectMeta metadata = new V1ObjectMeta();

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "gateway.networking.k8s.io/v1";
		}

		@Override
		public String getKind() {
			return "Gateway";
		}

	}

	static class Reconciler {

		@InformerReconciler(owns = { V1Pod.class, V1Secret.class, V1Service.class },
				writes = { @Writes(type = V1Pod.class, operations = { Operation.CREATE, Operation.DELETE }),
						@Writes(type = V1Secret.class, operations = {}) })
		void reconcile(Gateway gateway) {
		}

		@InformerCleanup("example.com/gateway")
		void cleanUp(Gateway gateway) {
		}

		@InformerReconciler(writes = @Writes(type = V1Deployment.class, operations = Operation.UPDATE))
		void other(V1Deployment deployment) {
		}

	}

	static class ReadOnly {

		@InformerReconciler(writes = @Writes(type = Gateway.class, operations = {}))
		void reconcile(Gateway gateway) {
		}

	}

	static class Settings {

		@InformerHandler(informer = "shopsettings")
		void changed(V1ConfigMap settings) {
		}

		@InformerReconciler(informer = "shopsettings")
		void reconcile(V1ConfigMap settings) {
		}

		@InformerCleanup("example.com/settings")
		void cleanUp(V1ConfigMap settings) {
		}

	}

}
