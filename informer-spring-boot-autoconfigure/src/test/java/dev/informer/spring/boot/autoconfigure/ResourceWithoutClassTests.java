/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.CustomResource;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.InvalidInjectionPointException;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.health.InformerHealthContributorAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers of objects without a model class and of custom resources.
 */
class ResourceWithoutClassTests {

	private static final String CERTIFICATES = "informer.resources.certificates.resource=certificates.cert-manager.io";

	@AutoClose
	private EmbeddedKubernetes kubernetes;

	private ApplicationContextRunner runner;

	@BeforeEach
	void start() {
		this.kubernetes = EmbeddedKubernetes.start();
		this.kubernetes
			.addResource(ResourceDefinition.namespaced("cert-manager.io", "v1", "certificates", "Certificate"));
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		certificate("one");
		configMap("settings");
		this.runner = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
			.withPropertyValues("informer.connection.url=" + this.kubernetes.url());
	}

	@Test
	void resourceWithoutClass_reachesHandlersAndListers() {
		this.runner.withPropertyValues(CERTIFICATES).withBean("untyped", Untyped.class).run((context) -> {
			Untyped untyped = context.getBean(Untyped.class);
			assertThat(untyped.certificates.get("shop", "one")).get()
				.satisfies((object) -> assertThat(object.getKind()).isEqualTo("Certificate"));
			certificate("two");
			await().untilAsserted(() -> assertThat(untyped.events).containsExactly("ADDED one", "ADDED two"));
			await()
				.untilAsserted(() -> assertThat(untyped.objects).containsExactly("Certificate one", "Certificate two"));
		});
	}

	@Test
	void autoStartupFalse_discoversNothing() {
		this.runner.withPropertyValues(CERTIFICATES, "informer.auto-startup=false")
			.withBean("untyped", Untyped.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(this.kubernetes.requests()).isEmpty();
				context.getBean(InformerRegistry.class).start();
				assertThat(context.getBean(Untyped.class).certificates.size()).isEqualTo(1);
			});
	}

	@Test
	void severalResourcesWithoutClass_areDistinguishedByName() {
		this.kubernetes.addResource(ResourceDefinition.clusterScoped("cert-manager.io", "v1", "issuers", "Issuer"));
		ApplicationContextRunner two = this.runner.withPropertyValues(CERTIFICATES,
				"informer.resources.issuers.resource=issuers.v1.cert-manager.io");
		two.withBean("untyped", Untyped.class).withBean("both", BothListers.class).run((context) -> {
			BothListers both = context.getBean(BothListers.class);
			assertThat(both.certificates.size()).isEqualTo(1);
			assertThat(both.issuers.size()).isZero();
		});
		two.withBean("unnamed", UnnamedUntyped.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("there are several informers of DynamicKubernetesObject: "
						+ "[certificatesInformer, issuersInformer]"));
	}

	@Test
	void onlyInformerOfType_needsNoName() {
		this.runner.withPropertyValues(CERTIFICATES)
			.withBean("unnamed", UnnamedUntyped.class)
			.run((context) -> assertThat(context.getBean(InformerRegistry.class).handlerIds()).hasSize(1));
	}

	@Test
	void officialResource_supportsUntypedObjects() {
		this.runner
			.withPropertyValues("informer.resources.configmaps.type=" + DynamicKubernetesObject.class.getName(),
					"informer.resources.apps.resource=deployments.v1.apps")
			.run((context) -> {
				assertThat(context.getBean(InformerRegistry.class)
					.informer("configmaps", DynamicKubernetesObject.class)
					.lister()
					.get("shop", "settings")).get()
					.satisfies((object) -> assertThat(object.getRaw().has("data")).isTrue());
				assertThat(context.getBean("appsInformer", SharedIndexInformer.class).resourceType().type())
					.isEqualTo(V1Deployment.class);
			});
	}

	@Test
	void userClass_getsResourceFromAnnotationOrProperty() {
		this.runner
			.withPropertyValues("informer.resources.annotated.type=" + Annotated.class.getName(),
					"informer.resources.plain.type=" + Plain.class.getName(),
					"informer.resources.plain.resource=certificates.cert-manager.io")
			.withBean("handlers", CertificateHandlers.class)
			.run((context) -> {
				CertificateHandlers handlers = context.getBean(CertificateHandlers.class);
				await().untilAsserted(() -> assertThat(handlers.seen).containsExactlyInAnyOrder("annotated example.com",
						"plain example.com"));
				assertThat(handlers.plains.list()).hasSize(1);
			});
	}

	@Test
	void typedHandlerOfUntypedInformer_isRejected() {
		this.runner.withPropertyValues("informer.resources.configmaps.resource=certificates.cert-manager.io")
			.withBean("typed", NamedTyped.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidHandlerMethodException.class, (ex) -> assertThat(ex.action())
					.contains("informer.resources.configmaps.type=" + V1ConfigMap.class.getName())));
	}

	@Test
	void untypedHandlerWithoutInformer_isRejectedWithRemedy() {
		this.runner.withBean("unnamed", UnnamedUntyped.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidHandlerMethodException.class,
						(ex) -> assertThat(ex.action())
							.contains("informer.resources.certificates.resource=certificates.cert-manager.io"))
				.hasMessageContaining("belongs to no resource"));
		this.runner.withBean("plain", PlainConsumer.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidInjectionPointException.class, (ex) -> assertThat(ex.action())
					.contains("informer.resources.<name>.type=" + Plain.class.getName())));
	}

	@Test
	void unservedResource_failsStartupIfRequired() {
		ApplicationContextRunner unknown = this.runner
			.withPropertyValues("informer.resources.plans.resource=plans.example.org", "informer.startup.timeout=2s");
		unknown.run((context) -> assertThat(context).getFailure()
			.cause()
			.isInstanceOf(SyncTimeoutException.class)
			.hasMessageContaining("Install the CustomResourceDefinition of plans.example.org")
			.hasMessageContaining("the API server has no group 'example.org'"));
		unknown.withPropertyValues("informer.resources.plans.required=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void classWithOtherScope_failsStartupAndHealthWithRemedy() {
		this.kubernetes.addResource(ResourceDefinition.clusterScoped("example.com", "v1", "zones", "Zone"));
		this.kubernetes
			.create(Map.of("apiVersion", "example.com/v1", "kind", "Zone", "metadata", Map.of("name", "north")));
		String remedy = "Set namespaced = false in the annotation @CustomResource of " + Zone.class.getName();
		ApplicationContextRunner zones = this.runner
			.withConfiguration(AutoConfigurations.of(InformerHealthContributorAutoConfiguration.class))
			.withPropertyValues("informer.resources.zones.type=" + Zone.class.getName(), "informer.startup.timeout=2s",
					"informer.health.failing-threshold=1ms");
		zones.run((context) -> assertThat(context).getFailure()
			.cause()
			.isInstanceOf(SyncTimeoutException.class)
			.hasMessageContaining(remedy));
		zones.withPropertyValues("informer.resources.zones.required=false").run((context) -> {
			CompositeHealthContributor informers = context.getBean("informersHealthContributor",
					CompositeHealthContributor.class);
			await().untilAsserted(() -> {
				assertThat(informers.getContributor("zones")).isInstanceOfSatisfying(HealthIndicator.class,
						(zone) -> assertThat(zone.health()).isNotNull().satisfies((health) -> {
							assertThat(health.getStatus()).isEqualTo(Status.DOWN);
							assertThat(health.getDetails()).extractingByKey("reason").asString().contains(remedy);
						}));
			});
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			resource=deployments.app              | Did you mean 'deployments.apps'?
			resource=ingress.networking.k8s.io    | Did you mean 'ingresses.networking.k8s.io'?
			resource=Certificates.cert-manager.io | certificates.v1.cert-manager.io
			type=dev.informer.client.PartialObjectMetadata | mine.metadata-only=true
			type=io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject | mine.resource (plural and group
			""")
	void invalidResource_isRejected(String property, String remedy) {
		this.runner.withPropertyValues("informer.resources.mine." + property)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidInformerPropertyException.class,
						(ex) -> assertThat(ex.action()).contains(remedy)));
	}

	@Test
	void classWithResource_rejectsResourceProperty() {
		this.runner
			.withPropertyValues("informer.resources.mine.type=" + Annotated.class.getName(),
					"informer.resources.mine.resource=pods")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidInformerPropertyException.class)
				.hasMessageContaining("the class belongs to certificates.cert-manager.io/v1"));
	}

	private void certificate(String name) {
		this.kubernetes.create(Map.of("apiVersion", "cert-manager.io/v1", "kind", "Certificate", "metadata",
				Map.of("namespace", "shop", "name", name), "spec", Map.of("commonName", "example.com")));
	}

	private void configMap(String name) {
		this.kubernetes.create(TestObjects.configMap("shop", name).data(Map.of("key", "value")));
	}

	static class Untyped {

		final Lister<DynamicKubernetesObject> certificates;

		final List<String> events = new CopyOnWriteArrayList<>();

		final List<String> objects = new CopyOnWriteArrayList<>();

		Untyped(Lister<DynamicKubernetesObject> certificatesLister) {
			this.certificates = certificatesLister;
		}

		@InformerHandler(informer = "certificates")
		void event(ResourceEvent<DynamicKubernetesObject> event) {
			this.events.add(event.type() + " " + event.object().getMetadata().getName());
		}

		@InformerHandler(informer = "certificates")
		void object(DynamicKubernetesObject certificate) {
			this.objects.add(certificate.getKind() + " " + certificate.getMetadata().getName());
		}

	}

	static class UnnamedUntyped {

		@InformerHandler
		void event(ResourceEvent<DynamicKubernetesObject> event) {
		}

	}

	static class BothListers {

		final Lister<DynamicKubernetesObject> certificates;

		final Lister<DynamicKubernetesObject> issuers;

		BothListers(Lister<DynamicKubernetesObject> certificatesLister, Lister<DynamicKubernetesObject> issuersLister) {
			this.certificates = certificatesLister;
			this.issuers = issuersLister;
		}

	}

	static class CertificateHandlers {

		final Lister<Plain> plains;

		final List<String> seen = new CopyOnWriteArrayList<>();

		CertificateHandlers(Lister<Plain> plains) {
			this.plains = plains;
		}

		@InformerHandler
		void annotated(Annotated certificate) {
			this.seen.add("annotated " + certificate.spec.get("commonName"));
		}

		@InformerHandler
		void plain(ResourceEvent.Added<Plain> event) {
			this.seen.add("plain " + event.object().spec.get("commonName"));
		}

	}

	static class PlainConsumer {

		PlainConsumer(Lister<Plain> plains) {
		}

	}

	static class NamedTyped {

		@InformerHandler(informer = "configmaps")
		void handle(V1ConfigMap settings) {
		}

	}

	static class Plain implements KubernetesObject {

		@Nullable V1ObjectMeta metadata;

		Map<String, String> spec = Map.of();

		@Override
		public @Nullable V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "cert-manager.io/v1";
		}

		@Override
		public String getKind() {
			return "Certificate";
		}

	}

	@CustomResource(group = "cert-manager.io", version = "v1", plural = "certificates", kind = "Certificate")
	static class Annotated extends Plain {

	}

	@CustomResource(group = "example.com", version = "v1", plural = "zones")
	static class Zone extends Plain {

	}

}
