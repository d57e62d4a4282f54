package dev.informer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method of a bean to be called when objects of a Kubernetes resource change.
 * Which resource follows from the parameter: <pre class="code">
 * &#064;InformerHandler
 * void handle(ResourceEvent&lt;V1Pod&gt; event)           // everything
 *
 * &#064;InformerHandler
 * void handle(ResourceEvent.Deleted&lt;V1Pod&gt; event)   // one kind of events
 *
 * &#064;InformerHandler
 * void handle(V1Pod pod)                            // what is added or updated
 *
 * &#064;InformerHandler
 * void handle(V1Pod previous, V1Pod current)        // what is updated
 * </pre> The resource is a model of the official client or a class annotated with
 * {@link dev.informer.CustomResource}.
 * <p>
 * A method returns nothing, is neither static nor private, and is called by one thread at
 * a time, events of one object in their order. The objects are shared with the local copy
 * and must not be changed. Methods of lazy, scoped and proxied beans and inherited
 * methods work as those of {@link org.springframework.context.event.EventListener} do. A
 * method that cannot work stops the start of the application, with the reason.
 * <p>
 * The annotation can be put on another annotation. Attributes that are strings may
 * contain <code>${...}</code> placeholders and <code>#{...}</code> expressions.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface InformerHandler {

	/**
	 * The id of the handler, unique in the application: its name in logs, metrics and
	 * health. When it consists of small letters and digits, starting with a letter, the
	 * properties below {@code informer.handlers.<id>} apply to it.
	 * <p>
	 * By default the name of the bean and the name of the method, with a dot in between.
	 * @return the id
	 */
	String id() default "";

	/**
	 * The name of the informer to listen to, one of those below
	 * {@code informer.resources}. By default the one that is injected for the type of the
	 * parameter, usually the one that is named like the resource: {@code pods}.
	 * @return the name of the informer
	 */
	String informer() default "";

	/**
	 * The kinds of events to be called for. By default all that the parameters can take;
	 * for a method that takes the object alone, {@code ADDED} and {@code UPDATED}. Such a
	 * method is never called for {@code DELETED} together with others, because it could
	 * not tell them apart.
	 * @return the kinds of events
	 */
	ResourceEvent.Type[] on() default {};

	/**
	 * How often the method is called again for every object though nothing has changed,
	 * such as {@code 10m}; {@code 0} for never. By default as the properties of the
	 * informer and {@code informer.defaults.resync-period} say.
	 * @return the period
	 */
	String resyncPeriod() default "";

	/**
	 * What is kept while the method is busy, at most one policy. By default as the
	 * properties of the informer say, {@link QueuePolicy#COALESCE} without any.
	 * @return the policy
	 */
	QueuePolicy[] queue() default {};

}
