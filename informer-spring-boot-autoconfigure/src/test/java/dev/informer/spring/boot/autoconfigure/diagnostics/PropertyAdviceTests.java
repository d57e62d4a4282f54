/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.CustomResource;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ResourceDefinition;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Advice about properties below {@code informer.resources}, {@code informer.handlers} and
 * others: followed literally, it solves the problem.
 */
@Timeout(120)
class PropertyAdviceTests {

	private static final Pattern UNKNOWN = Pattern
		.compile("Unknown property '([^']+)' of '([^']+)', did you mean '([^']+)'\\?");

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url())
		.withBean("audit", Audit.class);

	@ParameterizedTest
	@ValueSource(strings = { "informer.resources.pods.label-selektor=tier", "informer.resource.pods.required=true",
			"informer.handlers.audit.retry.max-retires=1", "informer.startup.timeot=10s",
			"informer.defaults.bakoff.delay=1s", "informer.connection.contxt=one" })
	void unknownKey(String property) {
		Advice advice = Advice.of(this.runner.withPropertyValues(property));
		Matcher unknown = UNKNOWN.matcher(advice.action());
		assertThat(unknown.find()).as(advice.action()).isTrue();
		String corrected = property.replace(unknown.group(2) + "." + unknown.group(1),
				unknown.group(2) + "." + unknown.group(3));
		assertThat(corrected).isNotEqualTo(property);
		if (corrected.startsWith("informer.connection.")) {
			// the correct key cannot be combined with the URL, which the next advice says
			assertThat(Advice.of(this.runner.withPropertyValues(corrected)).action()).isEqualTo("Remove one of them.");
			return;
		}
		start(this.runner.withPropertyValues(corrected));
	}

	@ParameterizedTest
	@CsvSource({ "informer.defaults.backoff.delay, soon", "informer.startup.timeout, 5 minutes",
			"informer.resources.pods.page-size, many", "informer.handlers.audit.retry.multiplier, twice",
			"informer.handlers.audit.concurrency, 1.5", "informer.resources.pods.type, no.such.Pod" })
	void valueOfOtherType(String key, String value) {
		Advice advice = Advice.of(this.runner.withPropertyValues(key + "=" + value));
		assertThat(advice.description()).startsWith("The value '" + value + "' of the property " + key + " (")
			.contains(" is not ");
		start(this.runner.withPropertyValues(key + "=" + advice.example()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "informer.startup.timeout", "informer.startup.on-timeout", "informer.defaults.page-size",
			"informer.defaults.watch", "informer.handlers.audit.retry.multiplier", "informer.resources.pods.type" })
	void valueThatIsEmpty(String key) {
		Advice advice = Advice.of(this.runner.withPropertyValues(key + "="));
		assertThat(advice.action()).contains("'" + key + "' is empty: set a value, or remove the property");
	}

	@Test
	void elementOfListWithoutItsPredecessor() {
		Advice advice = Advice.of(this.runner.withPropertyValues("informer.resources.pods.namespaces[0]=shop",
				"informer.resources.pods.namespaces[2]=default"));
		assertThat(advice.action()).contains("'informer.resources.pods.namespaces[2]' is not read: "
				+ "the indices of a list begin with 0 and have no gaps");
	}

	@Test
	void valueThatIsNoBoolean() {
		Advice advice = Advice.of(this.runner.withPropertyValues("informer.resources.pods.required=maybe"));
		assertThat(advice.action()).isEqualTo("Set true or false.");
	}

	@Test
	void unknownResource() {
		Advice advice = Advice.of(this.runner.withPropertyValues("informer.resources.deploymets.required=true"));
		start(this.runner.withPropertyValues("informer.resources." + advice.suggestion() + ".required=true"),
				(context) -> assertThat(context).hasBean("deploymentsLister"));
		String key = advice.key("informer.resources.deploymets.resource");
		String value = advice.text("\\(a plural such as pods, or ([a-z.]+)\\)");
		start(this.runner.withPropertyValues(key + "=" + value),
				(context) -> assertThat(context).hasBean("deploymetsLister"));
		start(this.runner
			.withPropertyValues(advice.key("informer.resources.deploymets.type") + "=" + V1Deployment.class.getName()));
	}

	@Test
	void invalidNameOfInformer() {
		Advice advice = Advice.of(this.runner.withPropertyValues("informer.resources.my-pods.resource=pods"));
		String key = advice.text("set the resource by '(informer\\.resources\\.<name>\\.resource)'");
		start(this.runner.withPropertyValues(key.replace("<name>", "mypods") + "=pods"),
				(context) -> assertThat(context).hasBean("mypodsLister"));
	}

	@Test
	void unknownCustomResource() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("cert-manager.io", "v1", "certificates", "Cert"));
		Advice advice = Advice.of(this.runner.withPropertyValues("informer.resources.mine.resource=certificates"));
		start(this.runner
			.withPropertyValues("informer.resources.mine.resource=" + advice.text("by plural and group, ([^\\s,]+),")));
		start(this.runner.withPropertyValues(
				"informer.resources.mine.resource=" + advice.text("plural, version and group, ([^\\s;]+);")));
	}

	@Test
	void typeThatIsNoResource() {
		Advice advice = Advice.of(this.runner.withPropertyValues("informer.resources.mine.type=java.lang.Long"));
		start(this.runner.withPropertyValues("informer.resources.mine.type=" + advice.example()));
	}

	@Test
	void conflictExceptionThatIsNone() {
		String key = "informer.defaults.reconciler.conflict-exceptions";
		Advice missing = Advice.of(this.runner.withPropertyValues(key + "=com.example.NotThere"));
		assertThat(missing.description()).contains("The value 'com.example.NotThere' of the property " + key,
				"is not the name of a class");
		Advice noException = Advice.of(this.runner.withPropertyValues(key + "=java.lang.Long"));
		assertThat(noException.description()).contains("Property '" + key + "' cannot be used",
				"must have classes of exceptions, not java.lang.Long");
		start(this.runner.withPropertyValues(noException.key(key) + "=java.lang.RuntimeException"));
	}

	@Test
	void typeWithoutResource() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
		String type = "informer.resources.mine.type=" + Tenant.class.getName();
		Advice advice = Advice.of(this.runner.withPropertyValues(type));
		start(this.runner.withPropertyValues(type,
				advice.key("informer.resources.mine.resource") + "=" + advice.example()));
		assertThat(advice.text("annotate the class with (@CustomResource\\(group, version, plural\\))"))
			.isEqualTo("@CustomResource(group, version, plural)");
		start(this.runner.withPropertyValues("informer.resources.mine.type=" + AnnotatedTenant.class.getName()));
	}

	@Test
	void metadataAsType() {
		Advice advice = Advice.of(this.runner
			.withPropertyValues("informer.resources.mine.type=" + PartialObjectMetadata.class.getName()));
		start(this.runner.withPropertyValues("informer.resources.mine.resource=pods",
				advice.assignment("informer.resources.mine.metadata-only")));
	}

	@Test
	void metadataOnly_whereWholeObjectsAreRequired() {
		Advice advice = Advice.of(this.runner.withBean("lister", PodConsumer.class)
			.withPropertyValues("informer.resources.pods.metadata-only=true"));
		start(this.runner.withBean("lister", PodConsumer.class)
			.withPropertyValues(advice.assignment("informer.resources.podsmetadata.resource"),
					advice.assignment("informer.resources.podsmetadata.metadata-only")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "informer.startup.timeout", "informer.health.failing-threshold" })
	void negativeDuration(String key) {
		Advice advice = Advice.of(this.runner.withPropertyValues(key + "=-1s"));
		start(this.runner.withPropertyValues(key + "=" + advice.example()));
	}

	@Test
	void resyncPeriodThatIsTooShort() {
		String key = "informer.resources.pods.handler.resync-period";
		Advice advice = Advice.of(this.runner.withPropertyValues(key + "=1ms"));
		start(this.runner.withPropertyValues(key + "=" + advice.text("Use (\\S+) for no resync\\.")));
	}

	@Test
	void invalidNamespace() {
		String key = "informer.resources.pods.namespaces";
		Advice advice = Advice.of(this.runner.withPropertyValues(key + "=@curent"));
		start(this.runner.withPropertyValues(key + "=" + advice.text("or (\\S+) for the namespace")));
		start(this.runner.withPropertyValues("informer.resources.pods.required=true"));
	}

	@Test
	void valueOutOfRange() {
		Advice advice = Advice.of(this.runner.withPropertyValues("informer.resources.pods.page-size=0"));
		start(this.runner.withPropertyValues(advice.key("informer.resources.pods.page-size") + "=1"));
	}

	@Test
	void unknownResourceOfWrites() {
		String operations = "informer.writer.writes.deploymets.operations=patch";
		Advice advice = Advice.of(this.runner.withPropertyValues(operations));
		start(this.runner.withPropertyValues(operations.replace("deploymets", advice.suggestion())));
		start(this.runner.withPropertyValues(operations, advice.key("informer.writer.writes.deploymets.resource") + "="
				+ advice.text("\\(a plural such as pods, or ([a-z.]+)\\)")));
		start(this.runner.withPropertyValues(operations,
				advice.key("informer.writer.writes.deploymets.type") + "=" + V1Deployment.class.getName()));
	}

	@Test
	void writesOfMetadata() {
		String prefix = "informer.writer.writes.mine.";
		Advice advice = Advice.of(this.runner.withPropertyValues(prefix + "operations=patch",
				prefix + "type=" + PartialObjectMetadata.class.getName()));
		assertThat(advice.action()).startsWith("Name the resource instead");
		start(this.runner.withPropertyValues(prefix + "operations=patch", prefix + "resource=pods"));
	}

	@Test
	void invalidFieldManager() {
		Advice advice = Advice
			.of(this.runner.withPropertyValues("informer.writer.field-manager=", "spring.application.name=shop"));
		assertThat(advice.example()).isEqualTo("shop");
		start(this.runner.withPropertyValues("informer.writer.field-manager=" + advice.example()));
	}

	@Test
	void unknownHandler() {
		Advice advice = Advice.of(this.runner.withPropertyValues("informer.handlers.adit.queue=keep-all"));
		start(this.runner.withPropertyValues("informer.handlers." + advice.suggestion() + ".queue=keep-all"));
		assertThat(advice.text("@InformerHandler\\(id = \"(\\w+)\"\\)")).isEqualTo("audit");
		start(this.runner.withPropertyValues(advice.key("informer.handlers.audit") + ".queue=keep-all"));
	}

	@Test
	void unknownNameOfLister() {
		this.kubernetes.create(deployment());
		ApplicationContextRunner named = this.runner.withBean("named", NamedConsumer.class);
		Advice advice = Advice.of(named);
		start(named.withPropertyValues(advice.assignment("informer.resources.canaries.resource")),
				(context) -> assertThat(context.getBean(NamedConsumer.class).canaries.list()).hasSize(1));
	}

	@Test
	void misspeltNameOfInformer() {
		Advice advice = Advice.of(this.runner.withBean("named", MisnamedConsumer.class));
		assertThat(advice.example()).isEqualTo("webpodsInformer");
		ApplicationContextRunner renamed = this.runner.withBean("named", RenamedConsumer.class);
		start(renamed.withPropertyValues(Advice.of(renamed).assignment("informer.resources.webpods.resource")));
	}

	@Test
	void informerThatIsLookedUp() {
		ApplicationContextRunner lookup = this.runner.withBean("lookup", Lookup.class);
		start(lookup.withPropertyValues(Advice.of(lookup).assignment("informer.resources.nodes.required")));
	}

	@Test
	void untypedObjects() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("cert-manager.io", "v1", "certificates", "Cert"));
		this.kubernetes.addResource(ResourceDefinition.namespaced("cert-manager.io", "v1", "issuers", "Issuer"));
		ApplicationContextRunner untyped = this.runner.withBean("untyped", UntypedConsumer.class);
		String declared = Advice.of(untyped).assignment("informer.resources.certificates.resource");
		start(untyped.withPropertyValues(declared));
		Advice several = Advice
			.of(untyped.withPropertyValues(declared, "informer.resources.issuers.resource=issuers.cert-manager.io"));
		assertThat(several.description()).contains("[certificatesLister, issuersLister]");
		assertThat(several.text("(@Qualifier\\(\".*?\"\\))")).isEqualTo("@Qualifier(\"<name of the bean>\")");
		start(this.runner.withBean("untyped", QualifiedConsumer.class)
			.withPropertyValues(declared, "informer.resources.issuers.resource=issuers.cert-manager.io"));
	}

	private static void start(ApplicationContextRunner runner) {
		start(runner, (context) -> {
		});
	}

	/**
	 * Start the application and expect that all its informers sync.
	 */
	private static void start(ApplicationContextRunner runner, ContextConsumer<AssertableApplicationContext> check) {
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(InformerRegistry.class).informers()).isNotEmpty()
				.allSatisfy((informer) -> assertThat(informer.hasSynced()).as(informer.name()).isTrue());
			check.accept(context);
		});
	}

	private static V1Deployment deployment() {
		return new V1Deployment().apiVersion("apps/v1")
			.kind("Deployment")
			.metadata(new V1ObjectMeta().namespace("default").name("web"));
	}

	static class Audit {

		@InformerHandler(id = "audit")
		void handle(V1Pod pod) {
		}

	}

	static class PodConsumer {

		PodConsumer(Lister<V1Pod> pods) {
		}

	}

	static class NamedConsumer {

		private final Lister<V1Deployment> canaries;

		NamedConsumer(@Qualifier("canariesLister") Lister<V1Deployment> canaries) {
			this.canaries = canaries;
		}

	}

	static class MisnamedConsumer {

		MisnamedConsumer(@Qualifier("Web-Pods") SharedIndexInformer<V1Pod> pods) {
		}

	}

	static class RenamedConsumer {

		RenamedConsumer(@Qualifier("webpodsInformer") SharedIndexInformer<V1Pod> pods) {
		}

	}

	static class Lookup implements SmartInitializingSingleton {

		private final BeanFactory beanFactory;

		Lookup(BeanFactory beanFactory) {
			this.beanFactory = beanFactory;
		}

		@Override
		public void afterSingletonsInstantiated() {
			this.beanFactory
				.getBeanProvider(ResolvableType.forClassWithGenerics(SharedIndexInformer.class, V1Node.class))
				.getObject();
		}

	}

	static class UntypedConsumer {

		UntypedConsumer(Lister<DynamicKubernetesObject> objects) {
		}

	}

	static class QualifiedConsumer {

		QualifiedConsumer(@Qualifier("issuersLister") Lister<DynamicKubernetesObject> objects) {
		}

	}

	static class Tenant implements KubernetesObject {

		private V1ObjectMeta metadata = new V1ObjectMeta();

		private String apiVersion = "example.com/v1";

		private String kind = "Tenant";

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public String getKind() {
			return this.kind;
		}

	}

	@CustomResource(group = "example.com", version = "v1", plural = "tenants", kind = "Tenant")
	static class AnnotatedTenant extends Tenant {

	}

}
