/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.security.Principal;
import java.time.Duration;
import java.util.List;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import dev.informer.InformerEvent;
import dev.informer.InformerFactory;
import dev.informer.InformerState.Phase;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.endpoint.InformersEndpoint.HandlerDescriptor;
import dev.informer.spring.boot.autoconfigure.endpoint.InformersEndpoint.InformerDescriptor;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link InformerEndpointAutoConfiguration}.
 */
class InformerEndpointAutoConfigurationTests {

	private static final ResourceEvent<V1Pod> ADDED = new ResourceEvent.Added<>(new V1Pod(), false);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerEndpointAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new)
		.withPropertyValues("management.endpoints.web.exposure.include=*", "informer.resources.pods.required=true",
				"informer.resources.webpods.resource=pods", "informer.resources.webpods.namespaces=shop",
				"informer.resources.webpods.label-selector=tier=web", "informer.resources.webpods.required=false");

	@Test
	void endpoints_existWhenExposed() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(InformersEndpoint.class)
			.hasSingleBean(InformerRbacEndpoint.class));
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).doesNotHaveBean(InformersEndpoint.class)
				.doesNotHaveBean(HandlerStatistics.class)
				.doesNotHaveBean(InformerRbacEndpoint.class));
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("informersEndpoint"));
	}

	@Test
	void informers_areDescribed() {
		this.contextRunner.run((context) -> {
			InformersEndpoint endpoint = context.getBean(InformersEndpoint.class);
			assertThat(endpoint.informers().informers()).containsOnlyKeys("pods", "webpods");
			InformerDescriptor web = endpoint.informer("webpods");
			assertThat(web).isNotNull();
			assertThat(web.resource()).isEqualTo("pods/v1");
			assertThat(web.required()).isFalse();
			assertThat(web.labelSelector()).isEqualTo("tier=web");
			assertThat(web.synced()).isTrue();
			assertThat(web.state().phase()).isEqualTo(Phase.WATCHING);
			assertThat(web.namespaces()).isNotEmpty();
			InformerDescriptor pods = endpoint.informer("pods");
			assertThat(pods).isNotNull();
			assertThat(pods.required()).isTrue();
			assertThat(pods.namespaces()).isEmpty();
			assertThat(endpoint.informer("services")).isNull();
		});
	}

	@Test
	void handlers_areDescribedWithRetriesAndClassOfLastError() {
		this.contextRunner.withBean("audit", Audit.class).run((context) -> {
			SharedIndexInformer<?> pods = context.getBean("podsInformer", SharedIndexInformer.class);
			HandlerStatistics listener = context.getBean(HandlerStatistics.class);
			listener.onEvent(new InformerEvent.HandlerInvoked(pods, "audit", ADDED, Duration.ZERO, 1,
					new IllegalStateException("secret")));
			listener.onEvent(new InformerEvent.HandlerInvoked(pods, "audit", ADDED, Duration.ZERO, 2, null));
			listener.onEvent(new InformerEvent.HandlerInvoked(pods, "audit", ADDED, Duration.ZERO, 1, null));
			InformerDescriptor described = context.getBean(InformersEndpoint.class).informer("pods");
			assertThat(described).isNotNull();
			List<HandlerDescriptor> handlers = described.handlers();
			assertThat(handlers).singleElement().satisfies((handler) -> {
				assertThat(handler.name()).isEqualTo("audit");
				assertThat(handler.queue()).isEqualTo(QueuePolicy.KEEP_ALL);
				assertThat(handler.pending()).isEqualTo(3);
				assertThat(handler.retries()).isEqualTo(1);
				assertThat(handler.lastError()).isNotNull();
				assertThat(handler.lastError().type()).isEqualTo("java.lang.IllegalStateException");
			});
			assertThat(handlers.toString()).doesNotContain("secret");
			listener.onEvent(new InformerEvent.HandlersChanged(pods));
			assertThat(context.getBean(HandlerStatistics.class).of(pods, "audit").retries()).isEqualTo(1);
			pods.handlers().get(0).remove();
			listener.onEvent(new InformerEvent.HandlersChanged(pods));
			assertThat(context.getBean(HandlerStatistics.class).of(pods, "audit").retries()).isZero();
			listener.onEvent(new InformerEvent.HandlerInvoked(pods, "audit", ADDED, Duration.ZERO, 2, null));
			listener.onEvent(new InformerEvent.Removed(pods));
			assertThat(context.getBean(HandlerStatistics.class).of(pods, "audit").retries()).isZero();
		});
	}

	@Test
	void informers_areDescribedByJmx() {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, EndpointAutoConfiguration.class,
					JmxEndpointAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=informers")
			.run((context) -> {
				MBeanServer server = context.getBean(MBeanServer.class);
				ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=Informers");
				assertThat(server.invoke(name, "informers", new Object[0], new String[0]).toString())
					.contains("resource=pods/v1");
			});
	}

	@Test
	void actions_triggerInformer() {
		this.contextRunner.run((context) -> {
			InformersEndpoint endpoint = context.getBean(InformersEndpoint.class);
			assertThat(endpoint.change(SecurityContext.NONE, "pods", "relist")).isNotNull();
			assertThat(endpoint.change(SecurityContext.NONE, "pods", "resync")).isNotNull();
			assertThat(((TestInformer<?>) context.getBean("podsInformer")).calls()).contains("relist by actuator",
					"resync");
			endpoint.change(new User("alice\nbob"), "pods", "relist");
			assertThat(((TestInformer<?>) context.getBean("podsInformer")).calls()).contains("relist by alice?bob");
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.change(SecurityContext.NONE, "services", "relist"))
				.withMessageContaining("services");
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.change(SecurityContext.NONE, "pods", "restart"))
				.withMessageContaining("restart");
		});
	}

	@Test
	void rbac_containsRequiredPermissionsAndApplicationName() {
		this.contextRunner.withPropertyValues("spring.application.name=Shop Front")
			.run((context) -> assertThat(context.getBean(InformerRbacEndpoint.class).manifest())
				.contains("kind: ClusterRole\nmetadata:\n  name: shop-front-informers\n")
				.contains("kind: Role\nmetadata:\n  name: shop-front-informers\n  namespace: shop\n"));
	}

	@Test
	void rbac_containsDeclaredWrites() {
		this.contextRunner
			.withPropertyValues("informer.writer.writes.pods.operations=update-status,patch",
					"informer.writer.writes.configs.resource=configmaps",
					"informer.writer.writes.configs.operations[0]=create",
					"informer.writer.writes.configs.namespaces=@current,shop", "informer.connection.namespace=mine",
					"informer.writer.writes.certificates.resource=certificates.cert-manager.io",
					"informer.writer.writes.certificates.operations=apply",
					"informer.writer.writes.jobs.type=io.kubernetes.client.openapi.models.V1Job",
					"informer.writer.writes.jobs.operations=delete")
			.run((context) -> assertThat(context.getBean(InformerRbacEndpoint.class).manifest()).isEqualTo("""
					apiVersion: rbac.authorization.k8s.io/v1
					kind: ClusterRole
					metadata:
					  name: application-informers
					rules:
					- apiGroups: ['']
					  resources: [pods]
					  verbs: [list, watch, patch]
					- apiGroups: ['']
					  resources: [pods/status]
					  verbs: [update]
					- apiGroups: [batch]
					  resources: [jobs]
					  verbs: [delete]
					- apiGroups: [cert-manager.io]
					  resources: [certificates]
					  verbs: [create, patch]
					---
					apiVersion: rbac.authorization.k8s.io/v1
					kind: Role
					metadata:
					  name: application-informers
					  namespace: mine
					rules:
					- apiGroups: ['']
					  resources: [configmaps]
					  verbs: [create]
					---
					apiVersion: rbac.authorization.k8s.io/v1
					kind: Role
					metadata:
					  name: application-informers
					  namespace: shop
					rules:
					- apiGroups: ['']
					  resources: [configmaps]
					  verbs: [create]
					- apiGroups: ['']
					  resources: [pods]
					  verbs: [list, watch]
					"""));
	}

	private record User(String name) implements SecurityContext {

		@Override
		public Principal getPrincipal() {
			return () -> this.name;
		}

		@Override
		public boolean isUserInRole(String role) {
			return false;
		}

	}

	static class Audit {

		@InformerHandler(id = "audit", queue = QueuePolicy.KEEP_ALL)
		void handle(V1Pod pod) {
		}

	}

}
