package com.example.docs.testing;

import java.time.Duration;
import java.util.Map;

import dev.informer.SharedIndexInformer;
import dev.informer.spring.registry.InformerRegistry;
import dev.informer.spring.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.spring.test.EmbeddedKubernetesCustomizer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static com.example.docs.testing.PodNamesTests.pod;
import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureEmbeddedKubernetes
class PodNamesApplicationTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	SharedIndexInformer<V1Pod> pods;

	@Autowired
	InformerRegistry registry;

	@Autowired
	PodNames names;

	@Test
	void podThatIsCreated_isThereAndWasTold() throws InterruptedException {
		JsonNode created = this.kubernetes.create(pod("shop", "web-1"));
		String version = created.path("metadata").path("resourceVersion").asString();
		assertThat(this.pods.awaitAtLeast(version, Duration.ofSeconds(10))).isTrue();
		assertThat(this.registry.awaitHandlersIdle(Duration.ofSeconds(10))).isTrue();
		assertThat(this.names.in("shop")).containsExactly("web-1");
		assertThat(this.names.told()).containsExactly("web-1");
	}

	void misbehave() {
		this.kubernetes.faults().always(Verb.LIST, "pods", Fault.status(403));
		this.kubernetes.restart();
	}

	/**
	 * Creates the namespace, which is not what the page is about.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	static class Namespaces {

		@Bean
		EmbeddedKubernetesCustomizer shop() {
			return new EmbeddedKubernetesCustomizer() {

				@Override
				public void populate(EmbeddedKubernetes kubernetes) {
					kubernetes
						.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
				}

			};
		}

	}

}
