/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.ChangedPart;
import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers of metadata alone.
 */
class MetadataOnlyTests {

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

	private static final String METADATA = "informer.resources.configmaps.metadata-only=true";

	@Test
	void metadataOnly_requestsAndDeliversMetadata() {
		this.runner.withPropertyValues(METADATA).withBean("metadata", Metadata.class).run((context) -> {
			Metadata metadata = context.getBean(Metadata.class);
			configMap("more");
			await().untilAsserted(() -> assertThat(metadata.seen).containsExactly("ADDED settings", "ADDED more"));
			assertThat(metadata.lister.get("shop", "settings")).isPresent();
			assertThat(context.getBean(InformerRegistry.class)
				.informer("configmaps", PartialObjectMetadata.class)
				.resourceType()
				.plural()).isEqualTo("configmaps");
			assertThat(this.kubernetes.requests(Verb.LIST, "configmaps"))
				.allSatisfy((request) -> assertThat(request.headers().get("accept")).contains("PartialObjectMetadata"));
		});
	}

	@Test
	void metadataOnly_worksWithoutClassAndBesideWholeObjects() {
		this.runner
			.withPropertyValues("informer.resources.certmeta.resource=certificates.cert-manager.io",
					"informer.resources.certmeta.metadata-only=true", "informer.resources.mapmeta.resource=configmaps",
					"informer.resources.mapmeta.metadata-only=true", "informer.resources.configmaps.required=true")
			.run((context) -> {
				assertThat(lister(context, "certmeta").size()).isEqualTo(1);
				assertThat(lister(context, "mapmeta").list()).allMatch(PartialObjectMetadata.class::isInstance)
					.isNotEmpty();
				assertThat(lister(context, "configmaps").list()).allMatch(V1ConfigMap.class::isInstance).isNotEmpty();
			});
	}

	@Test
	void typedHandlerOfMetadataInformer_isRejected() {
		this.runner.withPropertyValues(METADATA)
			.withBean("typed", NamedTyped.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidHandlerMethodException.class,
						(ex) -> assertThat(ex.action()).contains("Let the method take PartialObjectMetadata",
								"remove informer.resources.configmaps.metadata-only"))
				.hasMessageContaining("has objects of type " + PartialObjectMetadata.class.getName()));
		this.runner.withPropertyValues(METADATA)
			.withBean("typed", UnnamedTyped.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidInformerPropertyException.class, (ex) -> {
					assertThat(ex.key()).isEqualTo("informer.resources.configmaps.metadata-only");
					assertThat(ex.action()).contains("informer.resources.configmapsmetadata.resource=configmaps");
				}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spec", "status", "labels,spec" })
	void changeOfAPartThatIsNotCached_isRejected(String changes) {
		this.runner.withPropertyValues(METADATA, "informer.handlers.labels.changes=" + changes)
			.withBean("labels", Labels.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidHandlerMethodException.class,
						(ex) -> assertThat(ex.action()).contains("the properties below informer.handlers.labels"))
				.hasMessageContaining("'changes' must not contain spec or status: the objects of informer "
						+ "'configmaps' have only their metadata"));
	}

	@Test
	void changeOfMetadata_isSelected() {
		this.runner.withPropertyValues(METADATA).withBean("labels", Labels.class).run((context) -> {
			this.kubernetes.mergePatch("configmaps", "shop", "settings", Map.of("data", Map.of("key", "other")));
			this.kubernetes.mergePatch("configmaps", "shop", "settings",
					Map.of("metadata", Map.of("labels", Map.of("tier", "web"))));
			Labels labels = context.getBean(Labels.class);
			await().untilAsserted(() -> assertThat(labels.seen).containsExactly("{} to {tier=web}"));
		});
	}

	private static Lister<?> lister(ApplicationContext context, String informer) {
		return context.getBean(informer + "Lister", Lister.class);
	}

	private void certificate(String name) {
		this.kubernetes.create(Map.of("apiVersion", "cert-manager.io/v1", "kind", "Certificate", "metadata",
				Map.of("namespace", "shop", "name", name), "spec", Map.of("commonName", "example.com")));
	}

	private void configMap(String name) {
		this.kubernetes.create(TestObjects.configMap("shop", name).data(Map.of("key", "value")));
	}

	static class Metadata {

		final Lister<PartialObjectMetadata> lister;

		final List<String> seen = new CopyOnWriteArrayList<>();

		Metadata(Lister<PartialObjectMetadata> lister) {
			this.lister = lister;
		}

		@InformerHandler(informer = "configmaps")
		void event(ResourceEvent<PartialObjectMetadata> event) {
			this.seen.add(event.type() + " " + event.object().getMetadata().getName());
		}

	}

	static class Labels {

		final List<String> seen = new CopyOnWriteArrayList<>();

		@InformerHandler(id = "labels", informer = "configmaps", changes = ChangedPart.LABELS)
		void changed(PartialObjectMetadata previous, PartialObjectMetadata current) {
			this.seen.add(previous.getMetadata().getLabels() + " to " + current.getMetadata().getLabels());
		}

	}

	static class UnnamedTyped {

		@InformerHandler
		void handle(V1ConfigMap settings) {
		}

	}

	static class NamedTyped {

		@InformerHandler(informer = "configmaps")
		void handle(V1ConfigMap settings) {
		}

	}

}
