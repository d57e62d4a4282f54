/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.informer.IndexFunction;
import dev.informer.InformerOptions;
import dev.informer.Lister;
import dev.informer.MutationDetection;
import dev.informer.ObjectTransform;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerCustomizer;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the beans and properties that change the informers of the starter.
 */
class InformerCustomizationTests {

	@AutoClose
	private EmbeddedKubernetes kubernetes;

	private ApplicationContextRunner runner;

	@BeforeEach
	void start() {
		this.kubernetes = EmbeddedKubernetes.start();
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace", "shop",
				"name", "one", "labels", Map.of("tier", "web"), "managedFields", List.of(Map.of("manager", "kubectl",
						"operation", "Apply", "fieldsType", "FieldsV1", "fieldsV1", Map.of("f:data", Map.of())))),
				"data", Map.of("color", "red")));
		this.runner = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
			.withPropertyValues("informer.connection.url=" + this.kubernetes.url(),
					"informer.resources.settings.resource=configmaps", "informer.resources.configmaps.required=true",
					"informer.resources.secrets.required=true");
	}

	@Test
	void indexFunctions_areAddedByNameToInformersOfTheirType() {
		this.runner.withUserConfiguration(Beans.class).run((context) -> {
			assertThat(configMaps(context, "configmaps").byIndex("byColor", "red")).hasSize(1);
			assertThat(configMaps(context, "settings").byIndex("byColor", "red")).hasSize(1);
			assertThat(configMaps(context, "settings").byIndex("byNameLength", "3")).hasSize(1);
			assertThat(((Lister<?>) context.getBean("secretsLister")).indexValues("byNameLength")).isEmpty();
			assertThatIllegalArgumentException()
				.isThrownBy(() -> ((Lister<?>) context.getBean("secretsLister")).indexValues("byColor"));
		});
	}

	@Test
	void transform_changesCachedObjects() {
		this.runner.withUserConfiguration(Beans.class)
			.run((context) -> assertThat(configMaps(context, "configmaps").list()).singleElement()
				.extracting((settings) -> settings.getMetadata().getAnnotations())
				.isEqualTo(Map.of("transformed", "true")));
	}

	@Test
	void customizers_areCalledInOrderForTheirType() {
		this.runner.withUserConfiguration(Beans.class)
			.run((context) -> assertThat(context.getBean(Beans.class).customized)
				.containsExactlyInAnyOrder("first configmaps", "second configmaps", "first settings", "second settings",
						"second secrets")
				.containsSubsequence("first settings", "second settings"));
	}

	@Test
	void properties_becomeOptionsAndIndices() {
		this.runner
			.withPropertyValues("informer.defaults.mutation-detection=fail",
					"informer.defaults.allow-unsynced-reads=true", "informer.resources.settings.managed-fields=true",
					"informer.resources.settings.allow-unsynced-reads=false",
					"informer.resources.settings.indices=label,owner")
			.run((context) -> {
				InformerOptions settings = options(context, "settings");
				InformerOptions secrets = options(context, "secrets");
				assertThat(settings.mutationDetection()).isEqualTo(MutationDetection.FAIL);
				assertThat(settings.allowUnsyncedReads()).isFalse();
				assertThat(secrets.allowUnsyncedReads()).isTrue();
				assertThat(configMaps(context, "settings").list()).singleElement()
					.satisfies((object) -> assertThat(object.getMetadata().getManagedFields()).hasSize(1));
				assertThat(configMaps(context, "configmaps").list()).singleElement()
					.satisfies((object) -> assertThat(object.getMetadata().getManagedFields()).isNullOrEmpty());
				assertThat(configMaps(context, "settings").byIndex(Lister.LABEL_INDEX, "tier=web")).hasSize(1);
				assertThat(configMaps(context, "settings").indexValues(Lister.OWNER_INDEX)).isEmpty();
			});
	}

	@Test
	void indexWithBuiltInName_failsStartup() {
		this.runner.withUserConfiguration(BadIndex.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("The index 'label' is built in"));
	}

	@SuppressWarnings("unchecked")
	private static Lister<V1ConfigMap> configMaps(ApplicationContext context, String informer) {
		return (Lister<V1ConfigMap>) context.getBean(informer + "Lister");
	}

	private static InformerOptions options(ApplicationContext context, String informer) {
		return ((SharedIndexInformer<?>) context.getBean(informer + "Informer")).options();
	}

	@Configuration
	static class Beans {

		private final List<String> customized = new ArrayList<>();

		@Bean
		IndexFunction<V1ConfigMap> byColor() {
			return (settings) -> List.of(settings.getData().get("color"));
		}

		@Bean
		IndexFunction<KubernetesObject> byNameLength() {
			return (object) -> List.of(String.valueOf(String.valueOf(object.getMetadata().getName()).length()));
		}

		@Bean
		ObjectTransform<V1ConfigMap> transform() {
			return (settings) -> {
				settings.getMetadata().putAnnotationsItem("transformed", "true");
				return settings;
			};
		}

		@Bean
		@Order(2)
		InformerCustomizer<KubernetesObject> second() {
			return (informer) -> this.customized.add("second " + informer.name());
		}

		@Bean
		@Order(1)
		InformerCustomizer<V1ConfigMap> first() {
			return (informer) -> this.customized.add("first " + informer.name());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BadIndex {

		@Bean
		IndexFunction<V1Secret> label() {
			return (secret) -> List.of();
		}

	}

}
