/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ResourceDefinition;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.test.tools.SourceFile;
import org.springframework.core.test.tools.TestCompiler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Advice about handler methods and injection points: the code that it contains is
 * compiled, and the application starts.
 */
@Timeout(120)
class HandlerAdviceTests {

	private static final String IMPORTS = """
			package advice;

			import java.util.function.Predicate;
			import dev.informer.*;
			import dev.informer.client.*;
			import dev.informer.spring.InformerHandler;
			import io.kubernetes.client.common.KubernetesObject;
			import io.kubernetes.client.openapi.models.*;
			import org.springframework.beans.factory.annotation.Qualifier;
			import org.springframework.scheduling.annotation.Async;

			""";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, PropertyPlaceholderAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url(), "informer.startup.timeout=10s");

	@Test
	void parameterThatIsNoResource_takesEachOfTheForms() {
		Advice advice = advice("@InformerHandler public void handle(String pod) { }");
		List<String> forms = advice.texts("(void handle\\(.*?\\))");
		assertThat(forms).hasSize(4);
		forms.forEach((form) -> start("@InformerHandler public " + form + " { }"));
	}

	@Test
	void staticMethod_becomesAMethodOfTheBean() {
		Advice advice = advice("@InformerHandler public static void handle(V1Pod pod) { }");
		assertThat(advice.action()).contains("neither static nor private");
		start("@InformerHandler public void handle(V1Pod pod) { }");
	}

	@Test
	void asynchronousMethod_isInvokedByItsQueue() {
		Advice advice = advice("@Async @InformerHandler public void handle(V1Pod pod) { }");
		String annotation = advice.text("Remove (@\\w+):");
		start("@Async @InformerHandler public void handle(V1Pod pod) { }".replace(annotation, ""));
	}

	@Test
	void deletionWithoutEvent_takesTheEvent() {
		Advice advice = advice("@InformerHandler(on = {ResourceEvent.Type.ADDED, ResourceEvent.Type.DELETED}) "
				+ "public void handle(V1Pod pod) { }");
		start("@InformerHandler(on = {ResourceEvent.Type.ADDED, ResourceEvent.Type.DELETED}) public void handle("
				+ advice.text("Take (ResourceEvent<\\w+>),") + " event) { }");
	}

	@Test
	void ambiguousIds_areUnique() {
		String one = "@InformerHandler public void handle(V1Pod pod) { }\n";
		String two = "@InformerHandler public void handle(V1Node node) { }";
		Advice advice = advice(one + two);
		String annotation = advice.text("(@InformerHandler\\(id = \"\\.\\.\\.\"\\))");
		start(one.replace("@InformerHandler", annotation.replace("...", "one"))
				+ two.replace("@InformerHandler", annotation.replace("...", "two")));
	}

	@Test
	void missingFilter_isDeclared() {
		String handler = "@InformerHandler(filter = \"running\") public void handle(V1Pod pod) { }";
		Advice advice = advice(handler);
		String type = advice.text("Name a bean of type (Predicate<\\w+>) in the attribute 'filter', or declare one");
		compile(handler + "\npublic static class Running implements " + type
				+ " { public boolean test(V1Pod pod) { return true; } }",
				(handlers) -> start(runner(handlers).withBean("running", nested(handlers, "Running"))));
	}

	@Test
	void unresolvedPlaceholder_hasADefault() {
		Advice advice = advice("@InformerHandler(concurrency = \"${test.threads}\") public void handle(V1Pod pod) { }");
		String form = advice.text("give it a default by (\\$\\{name:default})");
		start("@InformerHandler(concurrency = \"" + form.replace("name", "test.threads").replace("default", "2")
				+ "\") public void handle(V1Pod pod) { }");
		assertThat(advice.action()).startsWith("Define the property");
		compile("@InformerHandler(concurrency = \"${test.threads}\") public void handle(V1Pod pod) { }",
				(handlers) -> start(runner(handlers).withPropertyValues("test.threads=2")));
	}

	@Test
	void unknownInformer_isDeclared() {
		String handler = "@InformerHandler(informer = \"canaries\") public void handle(V1Pod pod) { }";
		Advice advice = advice(handler);
		assertThat(advice.description()).endsWith("there is no informer 'canaries'; the informers are none");
		compile(handler, (handlers) -> start(
				runner(handlers).withPropertyValues(advice.assignment("informer.resources.canaries.resource"))));
	}

	@Test
	void misspeltInformer_isCorrected() {
		String handler = "@InformerHandler(informer = \"%s\") public void handle(V1Pod pod) { }";
		compile(handler.formatted("webpod"), (handlers) -> {
			Advice advice = Advice.of(runner(handlers).withPropertyValues("informer.resources.webpods.resource=pods"));
			assertThat(advice.description()).endsWith("the informers are [webpods]");
			assertThat(advice.text("Did you mean '(\\w+)'")).isEqualTo("webpods");
		});
		assertThat(advice(handler.formatted("web-pods")).text("such as (\\w+)\\.")).isEqualTo("pods");
	}

	@Test
	void durationWithoutUnit_hasOne() {
		String handler = "@InformerHandler(%s) public void handle(V1Pod pod) { }";
		assertThat(advice(handler.formatted("resyncPeriod = \"10\"")).description())
			.endsWith("its resyncPeriod '10' is not a duration: a number and a unit, such as 10m or 30s, at least 1s, "
					+ "or 0 for none");
		assertThat(advice(handler.formatted("resyncPeriod = \"999ms\"")).action()).contains("'resyncPeriod'");
		for (String attribute : List.of("delay", "maxDelay", "jitter")) {
			assertThat(advice(handler.formatted("retry = @InformerHandler.Retry(" + attribute + " = \"+10\")"))
				.description()).contains("its retry." + attribute + " '+10' is not a duration: a number and a unit");
		}
		start(handler.formatted("resyncPeriod = \"10m\", retry = @InformerHandler.Retry(jitter = \"0\")"));
		start(handler.formatted("resyncPeriod = \"0\""));
	}

	@Test
	void invalidAttributeOfCustomResource_isCorrected() {
		for (String[] attribute : new String[][] { { "plural", "Things" }, { "plural", "things/status" },
				{ "version", "V1" }, { "version", "example.com/v1" }, { "group", "Example.com" },
				{ "group", "example.com/v1" }, { "kind", "My Thing" } }) {
			String handler = "@InformerHandler public void handle(Thing thing) { }\n" + custom(attribute);
			Advice advice = advice(handler);
			assertThat(advice.description()).contains(
					"Thing is annotated with @CustomResource, but its " + attribute[0] + " '" + attribute[1] + "' is");
			assertThat(advice.action()).contains("Correct the annotation @CustomResource of the class advice.");
			compile(custom(attribute),
					(handlers) -> assertThat(
							Advice
								.of(this.runner
									.withPropertyValues(
											"informer.resources.things.type=" + nested(handlers, "Thing").getName())
									.withClassLoader(handlers.getClassLoader()))
								.description())
						.contains("'informer.resources.things.type'", attribute[1]));
		}
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "things", "Thing"));
		start("@InformerHandler public void handle(Thing thing) { }\n" + custom("plural", "things"));
	}

	private static String custom(String... attribute) {
		Map<String, String> attributes = new TreeMap<>(
				Map.of("group", "example.com", "version", "v1", "plural", "things", "kind", "Thing"));
		attributes.put(attribute[0], attribute[1]);
		return attributes.entrySet()
			.stream()
			.map((each) -> each.getKey() + " = \"" + each.getValue() + "\"")
			.collect(Collectors.joining(", ", "@CustomResource(", ") "))
				+ "public static class Thing implements KubernetesObject { V1ObjectMeta metadata; String kind; "
				+ "public V1ObjectMeta getMetadata() { return metadata; } public String getKind() { return kind; } "
				+ "public String getApiVersion() { return \"example.com/v1\"; } }";
	}

	@Test
	void classWithoutResource_isAnnotated() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
		String handler = "@InformerHandler public void handle(Tenant tenant) { }\n";
		String type = "public static class Tenant implements KubernetesObject { V1ObjectMeta metadata; String kind; "
				+ "public V1ObjectMeta getMetadata() { return metadata; } public String getKind() { return kind; } "
				+ "public String getApiVersion() { return \"example.com/v1\"; } }";
		Advice advice = advice(handler + type);
		String annotation = advice.text("annotated with (@CustomResource\\(group, version, plural\\))")
			.replace("group", "group = \"example.com\"")
			.replace("version", "version = \"v1\"")
			.replace("plural", "plural = \"tenants\"");
		start(handler + annotation + " " + type);
		compile(handler + type,
				(handlers) -> start(runner(handlers).withPropertyValues(
						advice.text("declare the resource by (informer\\.resources\\.<name>\\.type=\\S+) and")
							.replace("<name>", "tenants"),
						advice.text("and (informer\\.resources\\.<name>\\.resource=<plural>\\.<group>)")
							.replace("<name>", "tenants")
							.replace("<plural>", "tenants")
							.replace("<group>", "example.com"))));
	}

	@Test
	void dynamicObjectsBesideTheirClass_areDeclared() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "widgets", "Widget"));
		String handlers = "@InformerHandler public void typed(Widget widget) { }\n"
				+ "@InformerHandler(informer = \"rawwidgets\") public void raw("
				+ "io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject widget) { }\n"
				+ "@CustomResource(group = \"example.com\", version = \"v1\", plural = \"widgets\") "
				+ "public static class Widget implements KubernetesObject { V1ObjectMeta metadata; "
				+ "public V1ObjectMeta getMetadata() { return metadata; } public String getKind() { return \"Widget\"; } "
				+ "public String getApiVersion() { return \"example.com/v1\"; } }";
		compile(handlers, (compiled) -> {
			ApplicationContextRunner both = runner(compiled)
				.withPropertyValues("informer.resources.rawwidgets.resource=widgets.example.com");
			start(both.withPropertyValues(Advice.of(both).assignment("informer.resources.rawwidgets.type")));
		});
	}

	@Test
	void classThatCannotBeDecoded_isReplacedOrCorrected() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "widgets", "Widget"));
		String handler = "@InformerHandler public void handle(Widget widget) { }\n";
		String type = "@CustomResource(group = \"example.com\", version = \"v1\", plural = \"widgets\") "
				+ "public static class Widget implements KubernetesObject { V1ObjectMeta metadata; CONSTRUCTOR "
				+ "public V1ObjectMeta getMetadata() { return metadata; } public String getKind() { return \"Widget\"; } "
				+ "public String getApiVersion() { return \"example.com/v1\"; } }";
		Advice advice = advice(handler + type.replace("CONSTRUCTOR", "Widget(V1ObjectMeta m) { metadata = m; }"));
		assertThat(advice.text("Correct the class (\\S+),")).isEqualTo("advice.Handlers$Widget");
		start(handler + type.replace("CONSTRUCTOR", ""));
		compile("@InformerHandler(informer = \"widgets\") public void handle("
				+ "io.kubernetes.client.util.generic.dynamic." + advice.text("or use (DynamicKubernetesObject) or")
				+ " widget) { }",
				(handlers) -> start(runner(handlers)
					.withPropertyValues("informer.resources.widgets.resource=widgets.example.com")));
	}

	@Test
	void nameOfAnotherInformer_isAQualifier() {
		String parameter = "Lister<V1Pod> webpodsLister";
		String consumer = "public Handlers(" + parameter + ") { }\n@InformerHandler public void handle(V1Pod pod) { }";
		String declared = "informer.resources.webpods.resource=pods";
		Advice[] advice = new Advice[1];
		compile(consumer, (handlers) -> advice[0] = Advice.of(runner(handlers).withPropertyValues(declared)));
		String qualifier = advice[0].text("Add (@Qualifier\\(\"\\w+\"\\)),");
		compile(consumer.replace(parameter, qualifier + " " + parameter),
				(handlers) -> start(runner(handlers).withPropertyValues(declared)));
	}

	@Test
	void typeOfTheOfficialClient_isImported() {
		Advice advice = advice("public Handlers(io.kubernetes.client.informer.cache.Lister<V1Pod> pods) { }");
		start("public Handlers(" + advice.text("Import the type from (dev\\.informer) instead")
				+ ".Lister<V1Pod> pods) { }");
	}

	private Advice advice(String body) {
		Advice[] advice = new Advice[1];
		compile(body, (handlers) -> advice[0] = Advice.of(runner(handlers)));
		return advice[0];
	}

	private void start(String body) {
		compile(body, (handlers) -> start(runner(handlers)));
	}

	private static void start(ApplicationContextRunner runner) {
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(InformerRegistry.class).informers()).isNotEmpty()
				.allSatisfy((informer) -> assertThat(informer.hasSynced()).isTrue());
		});
	}

	private ApplicationContextRunner runner(Class<?> handlers) {
		return this.runner.withClassLoader(handlers.getClassLoader()).withBean("handlers", handlers);
	}

	private static Class<?> nested(Class<?> type, String name) {
		try {
			return Class.forName(type.getName() + "$" + name, false, type.getClassLoader());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void compile(String body, Consumer<Class<?>> test) {
		SourceFile source = SourceFile.of(IMPORTS + "public class Handlers {\n\n" + body + "\n\n}\n");
		TestCompiler.forSystem()
			.withCompilerOptions("-parameters")
			.compile(source,
					(compiled) -> test.accept(compiled.getAllCompiledClasses()
						.stream()
						.filter((type) -> type.getSimpleName().equals("Handlers"))
						.findFirst()
						.orElseThrow()));
	}

}
