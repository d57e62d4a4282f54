/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ResolvableType;

import static dev.informer.spring.boot.autoconfigure.diagnostics.FailureAnalyses.analyze;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MissingInformerFailureAnalyzer}.
 */
class MissingInformerFailureAnalyzerTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class));

	@Test
	void listerWithUnknownName_explainsDeclaration() {
		FailureAnalysis analysis = analyze(this.contextRunner.withBean("named", NamedConsumer.class));
		assertThat(analysis.getDescription()).contains(NamedConsumer.class.getName(),
				"requires a bean of type dev.informer.Lister<io.kubernetes.client.openapi.models.V1Deployment>",
				"no such bean named 'canariesLister'");
		assertThat(analysis.getAction()).contains("informer.resources.canaries.resource=deployments.apps");
	}

	@Test
	void qualifierThatIsNotBeanName_explainsNames() {
		assertThat(analyze(this.contextRunner.withBean("named", MisnamedConsumer.class)).getAction())
			.contains("<name>Informer", "webpodsInformer");
	}

	@Test
	void informerLookup_explainsDeclaration() {
		FailureAnalysis analysis = analyze(this.contextRunner.withBean("lookup", Lookup.class));
		assertThat(analysis.getDescription()).contains("requires a bean of type dev.informer.SharedIndexInformer<",
				"V1Pod");
		assertThat(analysis.getAction()).contains("informer.resources.pods.required=true");
	}

	@Test
	void listerWithoutResource_explainsType() {
		assertThat(analyze(this.contextRunner.withBean("any", AnyConsumer.class)).getAction())
			.contains("Add the type of the resource: Lister<V1Pod>");
		assertThat(analyze(this.contextRunner.withBean("untyped", UntypedConsumer.class)).getAction())
			.contains("informer.resources.certificates.resource=certificates.cert-manager.io");
	}

	@Test
	void ambiguousListers_areNamed() {
		FailureAnalysis analysis = analyze(this.contextRunner.withBean("untyped", UntypedConsumer.class)
			.withPropertyValues("informer.auto-startup=false",
					"informer.resources.certificates.resource=certificates.cert-manager.io",
					"informer.resources.issuers.resource=issuers.cert-manager.io"));
		assertThat(analysis.getDescription()).contains("several beans match: [certificatesLister, issuersLister]");
		assertThat(analysis.getAction()).contains("@Qualifier(");
	}

	@Test
	void informerOfOfficialClient_isRecognized() {
		FailureAnalysis analysis = analyze(this.contextRunner.withBean("official", OfficialConsumer.class));
		assertThat(analysis.getDescription()).contains("belongs to the informers of the official client");
		assertThat(analysis.getAction()).contains("Import the type from dev.informer");
	}

	@Test
	void otherMissingBean_isLeftToSpringBoot() {
		assertThat(new MissingInformerFailureAnalyzer(new DefaultListableBeanFactory())
			.analyze(new NoSuchBeanDefinitionException(String.class))).isNull();
		assertThat(new MissingInformerFailureAnalyzer(new DefaultListableBeanFactory())
			.analyze(new NoSuchBeanDefinitionException("lister"))).isNull();
	}

	static class NamedConsumer {

		NamedConsumer(@Qualifier("canariesLister") Lister<V1Deployment> canaries) {
		}

	}

	static class MisnamedConsumer {

		MisnamedConsumer(@Qualifier("Web-Pods") SharedIndexInformer<V1Pod> pods) {
		}

	}

	static class Lookup implements SmartInitializingSingleton {

		private final BeanFactory beanFactory;

		Lookup(BeanFactory beanFactory) {
			this.beanFactory = beanFactory;
		}

		@Override
		public void afterSingletonsInstantiated() {
			ResolvableType pods = ResolvableType.forClassWithGenerics(SharedIndexInformer.class, V1Pod.class);
			this.beanFactory.getBeanProvider(pods).getObject();
		}

	}

	static class AnyConsumer {

		AnyConsumer(Lister<KubernetesObject> any) {
		}

	}

	static class UntypedConsumer {

		UntypedConsumer(Lister<DynamicKubernetesObject> objects) {
		}

	}

	static class OfficialConsumer {

		OfficialConsumer(io.kubernetes.client.informer.cache.Lister<V1Pod> pods) {
		}

	}

}
