#!/usr/bin/env php
<?php
declare(strict_types=1);

/**
 * Pages.
 */
namespace App\Http;

use App\Models\User;
use App\Models\{Post, Comment as Note};
use function App\helper;
use const App\LIMIT;
use Countable as Sized;

require_once __DIR__ . '/lib/log.php';
include 'views.php';
require $computed;

/**
 * A page. It is shown.
 */
#[Route('/page')]
abstract class Page extends Base implements Viewable, \JsonSerializable
{
    use Loggable, Timed {
        log as protected;
    }

    const MAX = 3, MIN = self::MAX;
    private const SECRET = 1;

    public static ?User $current = null;
    protected int $width, $height = 2;
    var $old;
    private User $owner;

    /** Makes one. */
    public function __construct(private readonly User $user, protected Post $post, string $plain)
    {
        parent::__construct($plain);
        $this->post->publish();
    }

    public static function make(User $x, ?Note $note, int|string $any): static
    {
        $this->render();
        self::check();
        static::check();
        $x->save();
        $note?->save();
        $any->save();
        User::find(1);
        helper(LIMIT);
        \strlen('x');
        Models\Old::find(2);
        $post = new Post();
        $post->publish();
        $this->owner->save();
        $found = User::find(3);
        $found->save();
        $callback();
        $short = fn(Post $q) => $q->publish();
        $long = function (Post $p) use ($post) { inner($p); $p->publish(); };
        try {
            risky();
        } catch (Oops $e) {
            $e->report();
        }
        if ($x instanceof User) {
            return Page::MAX;
        }
        return new class extends Base {
            public function shown() { return true; }
        };
    }

    abstract protected function render(): string;

    private function check() {}
}

interface Viewable extends Sized, Named
{
    const KIND = 1;

    public function view();
}

trait Loggable
{
    private $log;

    public function log($message)
    {
        $this->log->info($message);
    }
}

enum Suit: string implements Named
{
    case Hearts = 'H';
    case Spades = 'S';

    public function label(): string
    {
        return self::Hearts->value;
    }
}

function free(int $a): ?User
{
    function nested() {}
    return nested();
}

if (!function_exists('maybe')) {
    function maybe() { return free(1); }
}

define('PAGE_LIMIT', 10);
const PAGE_SIZE = 20;

final class PageTest extends TestCase
{
    public function testMakes() { $this->assertTrue(free(1)); }

    /** @test */
    public function works() {}

    #[Test]
    public function shows() {}

    public function helper() {}
}
